import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import { creationLedger } from './creation-ledger.js';

const WRITERS = 8;
const CREATIONS = 100;
/** More than a service indexes by itself: the child processes of both share the work. */
const FILES = 60;
const BATCH = 20;

describe('fault: two services on one data folder', () => {
  eachDatabase((fresh) => {
    it('both serve, lose nothing, create nothing twice, and index each file once', async () => {
      const { dataDir, env } = await fresh();
      const ledger = creationLedger();
      const services: ServiceProcess[] = [await startService(dataDir, env)];
      try {
        services.push(await startService(dataDir, env));
        const [first, second] = services as [ServiceProcess, ServiceProcess];
        await first.call('workspaces_create', { name: 'w' });
        const projects = await Promise.all(
          services.map((service, n) => service.call<{ id: string }>('projects_create', { name: `of ${n}` })),
        );
        let calls = 0;
        const writing = ledger.write(WRITERS, () => (calls++ % 2 === 0 ? first : second));
        await Promise.all(
          projects.map(async ({ id: project_id }, n) => {
            for (let at = 0; at < FILES; at += BATCH) {
              const files = Array.from({ length: BATCH }, (_, i) => ({
                path: `${at + i}.md`,
                content: `The walrus ${n} ${at + i} sleeps.`,
              }));
              await services[n]?.call('files_ingest', { project_id, files });
            }
          }),
        );
        await ledger.grow(CREATIONS);
        await writing.stop();
        const writtenAt = Date.now();
        for (const { id: project_id } of projects) {
          for (const service of services) {
            const status = () =>
              service.call<{ pending: number; failed: number }>('projects_index_status', { project_id });
            for (let now = await status(); now.pending > 0; now = await status()) {
              assert.equal(now.failed, 0);
              await delay(50);
            }
          }
        }
        const indexed = Date.now() - writtenAt;
        for (const service of services) {
          const { total } = await service.call<{ total: number }>('search_pattern', {
            query: 'walrus',
            output_format: 'count',
          });
          assert.equal(total, projects.length * FILES);
        }
        const { lost, twice } = await ledger.compare(second);
        console.log(
          `      acknowledged ${ledger.acknowledged.size} creations and ${2 * FILES} files, lost ${lost}, twice ${twice}; ` +
            `indexed ${indexed} ms after the last write`,
        );
        assert.deepEqual({ lost, twice }, { lost: 0, twice: 0 });
      } finally {
        await Promise.all(services.map((service) => service.end('SIGKILL')));
      }
    });
  });
});
