import assert from 'node:assert/strict';
import type { Result } from '#cli/connection/connection.js';
import type { IngestSummary } from '#cli/ingest/summary.js';
import { runBinary } from '../support/command.js';
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
