import assert from 'node:assert/strict';
import { pendingSteps, start } from '@service-mcp/core/host';
import type { Result } from '#cli/connection/connection.js';
import type { IngestSummary } from '#cli/ingest/summary.js';
import { load } from '#cli/deployment.js';
import { runBinary, runCommand } from '../support/command.js';
import { folderWith } from '../support/folder.js';

describe('commands by the binary', () => {
  it('use what the process before them left in the data folder', async () => {
    const folder = await folderWith({ 'src/lantern.ts': 'export function lightLantern() {}\n' });
    const data = await folderWith();
    const json = async <T>(command: string, ...args: string[]): Promise<T> => {
      const outcome = await runBinary([command, '--data', data.path, '--json', ...args], {
        cwd: folder.path,
      });
      assert.equal(outcome.code, 0, outcome.stderr);
      return JSON.parse(outcome.stdout) as T;
    };
    try {
      assert.ok((await json<{ applied: string[] }>('migrate')).applied.length > 0);
      const { sent, project_id } = await json<IngestSummary>('ingest', '.');
      assert.equal(sent, 1);
      const { results } = await json<Result<'search_hybrid'>>('search', 'light lantern');
      assert.equal(results[0]?.path, 'src/lantern.ts');
      const read = ['files_read', '--project-id', project_id, '--path', 'src/lantern.ts'];
      assert.match((await json<{ content: string }>('call', ...read)).content, /lightLantern/);
      assert.equal((await json<{ ok: boolean }>('doctor')).ok, true);
    } finally {
      await folder.remove();
      await data.remove();
    }
  });
});

describe('commands of a later version', () => {
  it('leave the database to the running service, and say what is pending', async () => {
    const folder = await folderWith();
    const here = { data: folder.path };
    const run = (...args: string[]) => runCommand([...args, '--data', folder.path]);
    try {
      const deployment = await load(here, { SERVICE_LOG_LEVEL: 'silent' });
      const host = await start(deployment, { listen: false, workers: false });
      const steps = () => host.database.sql('schema_migrations').where({ plugin: 'memory' });
      const last: unknown = await steps().max('id as id').first();
      await steps()
        .where(last as { id: string })
        .delete();
      await host.stop();
      const pending = await pendingSteps(deployment);
      assert.equal(pending.length, 1);
      for (const command of [['tools'], ['ingest', folder.path], ['accounts', 'list']]) {
        const { code, stderr } = await run(...command);
        assert.equal(code, 1, stderr);
        assert.match(
          stderr,
          /1 step of this version not applied yet \(memory\/.*\n→ Stop the service.* migrate --data/,
        );
      }
      assert.deepEqual(await pendingSteps(deployment), pending);
    } finally {
      await folder.remove();
    }
  });
});
