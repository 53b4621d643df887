import assert from 'node:assert/strict';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestSummary } from '#cli/ingest/summary.js';
import { ended, runCommand, serve, startCommand, told } from '../support/command.js';
import { folderWith } from '../support/folder.js';
import { FaultyService } from '../support/service.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

/** The records of an NDJSON text. */
function parseLines(text: string): { record: string; [field: string]: unknown }[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('export', () => {
  let folder: Folder;
  let target: Folder;
  beforeEach(async () => {
    folder = await folderWith({ 'a.ts': 'export const lantern = 1;\n', 'docs/b.md': '# Harbor\n' });
    target = await folderWith();
  });
  afterEach(async () => {
    await folder.remove();
    await target.remove();
  });

  it('writes every record of a served workspace, to standard output or to a private file', async () => {
    const child = serve(target.path);
    const stopped = ended(child);
    try {
      const { url } = JSON.parse(await told(child, '\n}\n')) as { url: string };
      const ingested = await runCommand(['ingest', folder.path, '--url', url, '--json']);
      const { workspace_id, project_id } = JSON.parse(ingested.stdout) as IngestSummary;
      const printed = await runCommand(['export', '--url', url]);
      assert.equal(printed.code, 0, printed.stderr);
      const records = parseLines(printed.stdout);
      assert.deepEqual(records.pop(), { record: 'end', records: records.length });
      assert.ok(records.some((each) => each.record === 'project' && each['id'] === project_id));
      const files = records.filter((each) => each.record === 'file').map((each) => each['content']);
      assert.deepEqual(new Set(files), new Set(['# Harbor\n', 'export const lantern = 1;\n']));
      assert.equal(files.length, 2);

      const out = join(folder.path, 'export.ndjson');
      const written = await runCommand(['export', workspace_id, '--out', out, '--url', url, '--json']);
      assert.equal(written.code, 0, written.stderr);
      assert.equal(await readFile(out, 'utf8'), printed.stdout);
      assert.equal((await stat(out)).mode & 0o777, 0o600);
      assert.deepEqual(JSON.parse(written.stdout), {
        workspace_id,
        file: out,
        records: records.length,
        bytes: Buffer.byteLength(printed.stdout),
      });
    } finally {
      child.kill('SIGTERM');
    }
    await stopped;
  });

  it('leaves the earlier file as it is and no other when it is interrupted or fails', async () => {
    const service = new FaultyService();
    const url = await service.start();
    try {
      service.exported.push([{ record: 'workspace' }], [{ record: 'project' }]);
      await target.write('export.ndjson', 'earlier');
      const out = join(target.path, 'export.ndjson');
      const unchanged = async () => {
        assert.deepEqual(await readdir(target.path), ['export.ndjson']);
        assert.equal(await readFile(out, 'utf8'), 'earlier');
      };

      service.faults.push(undefined, 'hang');
      const second = service.called(2);
      const child = startCommand(['export', '--out', out, '--url', url]);
      const outcome = ended(child);
      await second;
      child.kill('SIGINT');
      const { code, stderr } = await outcome;
      assert.equal(code, 130, stderr);
      await unchanged();

      service.faults.push(undefined, { status: 403, code: 'PERMISSION_DENIED' });
      const refused = await runCommand(['export', 'w1', '--out', out, '--url', url]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /PERMISSION_DENIED/);
      await unchanged();

      service.faults.push(undefined, { status: 503, code: 'UNAVAILABLE', retryAfter: '0' });
      const retried = await runCommand(['export', 'w1', '--out', out, '--url', url]);
      assert.equal(retried.code, 0, retried.stderr);
      assert.match(retried.stderr, /^Not now\. Trying again\.$/m);
      assert.equal(
        await readFile(out, 'utf8'),
        '{"record":"workspace"}\n{"record":"project"}\n{"record":"end","records":2}\n',
      );
    } finally {
      await service.stop();
    }
  });

  it('advises on commands that reach the same service, with the same options', async () => {
    const child = serve(target.path);
    const stopped = ended(child);
    try {
      const { url } = JSON.parse(await told(child, '\n}\n')) as { url: string };
      const next = async (...args: string[]) => (await runCommand([...args, '--url', url])).stderr;
      const call = (...args: string[]) => runCommand(['call', '--url', url, ...args]);
      for (const name of ['One', 'Two']) await call('workspaces_create', '--name', name);
      const several = await next('export', '--memory', '--out', 'a b.ndjson');
      const again = `service-mcp export --memory --out 'a b.ndjson' --url ${url} ID`;
      assert.ok(several.includes(again), several);
      const unknown = await next('export', '01890000-0000-7000-8000-000000000000');
      assert.ok(unknown.includes(`service-mcp call --url ${url} workspaces_list`), unknown);
      const { stderr } = await call('workspaces_list', '--page', '1', 'stray');
      assert.ok(stderr.includes(`service-mcp tools --url ${url} workspaces_list`), stderr);
    } finally {
      child.kill('SIGTERM');
    }
    await stopped;
  });

  it('says what is wrong with the workspace or the file, and what to do', async () => {
    const here = ['--data', target.path];
    const refused = async (args: readonly string[], message: RegExp) => {
      const { code, stdout, stderr } = await runCommand(['export', ...args, ...here]);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, message);
    };
    await refused([], /There is no database in/);
    assert.equal((await runCommand(['migrate', ...here])).code, 0);
    await refused([], /There is no workspace to export/);
    const make = (name: string) => runCommand(['call', ...here, 'workspaces_create', '--name', name]);
    const { id } = JSON.parse((await make('One')).stdout) as { id: string };
    const missing = join(folder.path, 'missing', 'export.ndjson');
    await refused(
      ['--out', missing],
      /missing\/export\.ndjson cannot be written \(no such file or folder, ENOENT\).*\n→ .*--out/,
    );
    await refused(['--json'], /needs one.*|Add --out FILE/);
    const unknown = `${id.slice(0, -4)}0000`;
    await refused([unknown], /error NOT_FOUND .*\n→ .*workspaces_list/);
    await make('Two');
    await refused([], /There are 2 workspaces:[^]*service-mcp export --data \S+ ID/);
  });
});
