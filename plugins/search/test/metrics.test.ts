import assert from 'node:assert/strict';
import { eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';
import search from '@service-mcp/plugin-search';
import { attach } from './harness.js';

eachDatabase((fresh) => {
  describe('metrics of the index', () => {
    let host: TestHost;
    before(async () => {
      const database = await fresh();
      host = await testHost({ plugins: [syntax, workspaces, search], database, listen: true });
    });
    after(() => host.stop());

    const scrape = async (): Promise<Record<string, number>> => {
      const text = await (await fetch(`${host.url}/metrics`)).text();
      const values = [...text.matchAll(/^service_mcp_(index_\w+|queue_\w+)(?:\{\w+="([\w.]+)"\})? (\S+)$/gm)];
      return Object.fromEntries(
        values.map(([, name, label, value]) => [label ? `${name} ${label}` : String(name), Number(value)]),
      );
    };

    it('show its rows, and that nothing is pending', async () => {
      const empty = await scrape();
      assert.deepEqual(
        [empty['index_rows documents'], empty['index_workspaces'], empty['index_damaged']],
        [0, 0, 0],
      );
      const { id: workspaceId } = await host.use<{ id: string }>('workspaces_create', { name: 'w' });
      const { id: projectId } = await host.use<{ id: string }>('projects_create', { name: 'p' });
      const site = attach(host, workspaceId, projectId);
      await site.ingest({ 'a.ts': 'export const a = 1;\n', 'b.md': '# B\n\nText.\n' });
      await site.settled();
      const full = await scrape();
      assert.equal(full['index_rows documents'], 2);
      assert.ok((full['index_rows chunks'] ?? 0) >= 2);
      assert.equal(full['index_rows vectors'], full['index_rows chunks']);
      assert.deepEqual([full['queue_depth files.search'], full['queue_age_seconds files.search']], [0, 0]);
    });

    it('show the newest values at each of many concurrent scrapes', async () => {
      const scrapes = await Promise.all(Array.from({ length: 20 }, scrape));
      for (const values of scrapes) assert.equal(values['index_rows documents'], 2);
    });
  });
});
