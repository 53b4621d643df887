import assert from 'node:assert/strict';
import { eachDatabase, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { newApiKey } from '@service-mcp/plugin-auth/internals';
import secrets from '@service-mcp/plugin-secrets';
import workspaces from '@service-mcp/plugin-workspaces';

const { key: KEY } = newApiKey();
/** In parts, so that no scanner takes it for a secret of this repository. */
const TOKEN = ['ghp', 'Zk8vQ2mT9xLr4WcH7bNp1YdG6sJf3KaEuR5o'].join('_');

interface Report {
  received: number;
  changed: number;
  unchanged: number;
  rejected: Array<{ path: string; reason: string }>;
  redacted?: Array<{ path: string; rule: string; line: number }>;
}

eachDatabase((fresh) => {
  describe('secrets in files and names', () => {
    let database: TestDatabase;
    let host: TestHost;
    let workspace_id: string;
    let project_id: string;
    const start = (settings: object) =>
      testHost({ plugins: [workspaces, secrets], database, workers: false, config: { secrets: settings } });
    before(async () => {
      database = await fresh();
      host = await start({});
      workspace_id = (await host.use<{ id: string }>('workspaces_create', { name: 'w' })).id;
      project_id = (await host.use<{ id: string }>('projects_create', { workspace_id, name: 'p' })).id;
    });
    after(() => host.stop());

    const ingest = (files: Record<string, string>, on = host) =>
      on.use<Report>('files_ingest', {
        project_id,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
      });
    const read = async (path: string) =>
      (await host.use<{ content: string }>('files_read', { project_id, path })).content;

    it('are taken out of files, named with their line, and every other byte stays', async () => {
      const clean = '\uFEFFconst a = 1;\r\n// é \u{1F41F}\r\nconst password = find();';
      const report = await ingest({
        'clean.ts': clean,
        'keys.txt': `mine\n${KEY} and ${KEY}\n`,
        'ci.yml': `a: 1\r\ntoken: ${TOKEN}\r\nb: 2\r\n`,
      });
      assert.deepEqual([report.changed, report.rejected], [3, []]);
      assert.deepEqual(report.redacted, [
        { path: 'keys.txt', rule: 'service-credential', line: 2 },
        { path: 'ci.yml', rule: 'github', line: 2 },
      ]);
      assert.equal(await read('clean.ts'), clean);
      assert.equal(await read('keys.txt'), 'mine\n[redacted] and [redacted]\n');
      assert.equal(await read('ci.yml'), 'a: 1\r\ntoken: [redacted]\r\nb: 2\r\n');
      const again = await ingest({ 'keys.txt': `mine\n${KEY} and ${KEY}\n`, 'clean.ts': clean });
      assert.deepEqual([again.changed, again.unchanged, again.redacted?.length], [0, 2, 1]);
      const stored = JSON.stringify(await host.database.sql('file_contents').select('packed'));
      assert.ok(!stored.includes(KEY));
    });

    it('are refused by file, or kept, as the operator sets it; a key of this service is never kept', async () => {
      const refusing = await start({ file_policy: 'refuse' });
      const files = { 'bad.txt': `x\n${TOKEN}`, 'good.txt': 'good' };
      const report = await ingest(files, refusing);
      assert.deepEqual([report.received, report.changed, report.redacted], [2, 1, undefined]);
      assert.deepEqual(
        report.rejected.map(({ path }) => path),
        ['bad.txt'],
      );
      assert.match(report.rejected[0]?.reason ?? '', /github.* line 2/);
      await refusing.stop();
      const keeping = await start({ file_policy: 'keep', policy: 'keep' });
      const kept = await ingest({ 'kept.txt': `${TOKEN} ${KEY}` }, keeping);
      assert.deepEqual(kept.redacted, [{ path: 'kept.txt', rule: 'service-credential', line: 1 }]);
      assert.equal(await read('kept.txt'), `${TOKEN} [redacted]`);
      await keeping.stop();
    });

    it('are taken out of names, descriptions and addresses of workspaces and projects', async () => {
      interface Stored {
        id: string;
        name: string;
        description: string;
        repository_url?: string;
        redacted?: Array<{ field: string; rule: string }>;
      }
      const leaky = { name: `key ${KEY}`, description: `uses ${TOKEN}` };
      const workspace = await host.use<Stored>('workspaces_create', leaky);
      assert.deepEqual([workspace.name, workspace.description], ['key [redacted]', 'uses [redacted]']);
      assert.deepEqual(workspace.redacted, [
        { field: 'name', rule: 'service-credential' },
        { field: 'description', rule: 'github' },
      ]);
      const updated = await host.use<Stored>('workspaces_update', {
        workspace_id: workspace.id,
        description: KEY,
      });
      assert.deepEqual([updated.description, updated.redacted?.length], ['[redacted]', 1]);
      const repository_url = `https://me:${TOKEN}@git.example.org/p`;
      const project = await host.use<Stored>('projects_create', { workspace_id, name: 'q', repository_url });
      assert.ok(!JSON.stringify(project).includes(TOKEN));
      const renamed = await host.use<Stored>('projects_update', { project_id: project.id, name: `q ${KEY}` });
      assert.deepEqual([renamed.name, renamed.redacted?.[0]?.field], ['q [redacted]', 'name']);
      const clean = await host.use<Stored>('projects_update', {
        project_id: project.id,
        description: 'fine',
      });
      assert.equal(clean.redacted, undefined);
    });
  });
});
