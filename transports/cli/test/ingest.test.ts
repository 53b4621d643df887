import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestSummary } from '#cli/ingest/summary.js';
import { runCommand } from './support/command.js';
import { folderWith } from './support/folder.js';
import { FaultyService } from './support/service.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

describe('ingest against a service that fails', () => {
  let service: FaultyService;
  let url: string;
  let folder: Folder;

  beforeEach(async () => {
    service = new FaultyService();
    url = await service.start();
    folder = await folderWith({
      'a.ts': 'export const a = 1;\n',
      'src/b.ts': 'export const b = 2;\n',
      'bom.txt': '\ufeffwith a mark\n',
      'nul.bin': Uint8Array.of(1, 0, 2),
      'control.bin': Uint8Array.of(0x63, 0xe9, 0x01),
      'large.txt': 'x'.repeat(2000),
      '.gitignore': 'ignored.txt\n',
      'ignored.txt': 'no',
    });
  });
  afterEach(async () => {
    await service.stop();
    await folder.remove();
  });

  async function ingest(
    ...args: string[]
  ): Promise<{ code: number | null; stderr: string; result: IngestSummary }> {
    const outcome = await runCommand([
      'ingest',
      folder.path,
      '--url',
      url,
      '--max-bytes',
      '1000',
      '--json',
      ...args,
    ]);
    return {
      code: outcome.code,
      stderr: outcome.stderr,
      result: JSON.parse(outcome.stdout || '{}') as IngestSummary,
    };
  }

  it('accounts for every file, with the reason for each that is skipped', async () => {
    const { code, result } = await ingest();
    assert.equal(code, 0);
    assert.equal(result.scanned, 8);
    assert.equal(result.sent, 4);
    assert.deepEqual(result.skipped, {
      total: 4,
      ignored: 1,
      excluded: 0,
      secret: 0,
      service_key: 0,
      binary: 2,
      too_large: 1,
      symlink: 0,
      special: 0,
      unreadable: 0,
    });
    assert.deepEqual([...service.files.keys()].toSorted(), ['.gitignore', 'a.ts', 'bom.txt', 'src/b.ts']);
    assert.deepEqual(JSON.parse(await readFile(join(folder.path, '.service-mcp.json'), 'utf8')), {
      url,
      workspace_id: 'w1',
      project_id: 'p1',
    });
  });

  it('converts other encodings to UTF-8, counts them, and knows them again', async () => {
    await folder.write('latin1.c', Uint8Array.of(0x2f, 0x2f, 0xe9));
    await folder.write('wide.cs', Buffer.from('\uFEFFclass Ä {}', 'utf16le'));
    const { result } = await ingest();
    assert.deepEqual([result.sent, result.skipped.binary, result.converted], [6, 2, 2]);
    assert.deepEqual(result.conversions, [
      { path: 'latin1.c', encoding: 'windows-1252' },
      { path: 'wide.cs', encoding: 'utf-16le' },
    ]);
    const again = (await ingest()).result;
    assert.deepEqual([again.sent, again.unchanged, again.converted], [0, 6, 2]);
    const shown = await runCommand(['ingest', folder.path, '--url', url, '--max-bytes', '1000', '-v']);
    assert.match(shown.stdout, /converted +2 +to UTF-8/);
    assert.match(shown.stderr, /\n {2}latin1\.c: windows-1252\n {2}wide\.cs: utf-16le\n/);
  });

  it('sends only changed files when run again', async () => {
    await ingest();
    service.batches.length = 0;
    await folder.write('a.ts', 'export const a = 3;\n');
    const { result } = await ingest();
    assert.deepEqual([result.sent, result.unchanged, result.scanned], [1, 3, 8]);
    assert.deepEqual(
      service.batches.map(({ files }) => files),
      [1],
    );
  });

  it('tries again after a reset, 429 and 503, and sends nothing twice', async () => {
    service.faults.push(
      'reset',
      { status: 429, code: 'RATE_LIMITED', retryAfter: '0' },
      { status: 503, code: 'UNAVAILABLE', retryAfter: '0' },
    );
    const { code, result } = await ingest();
    assert.equal(code, 0);
    assert.equal(result.sent, 4);
    assert.equal(service.batches.length, 1);
  });

  it('stops at a refusal that no retry changes', async () => {
    service.faults.push({ status: 403, code: 'PERMISSION_DENIED' });
    const { code, stderr } = await ingest();
    assert.equal(code, 1);
    assert.equal(JSON.parse(stderr).error.code, 'PERMISSION_DENIED');
    assert.equal(service.files.size, 0);
  });

  it('says at a quota what is in the project, and goes on when there is room', async () => {
    for (let i = 0; i < 1400; i += 1) await folder.write(`many/${i}.txt`, `${i}`);
    const quota = { status: 429, code: 'RESOURCE_EXHAUSTED' };
    service.faults.push(undefined, quota, quota);
    const half = JSON.parse((await ingest()).stderr) as { error: { message: string; next: string } };
    assert.equal(service.files.size, 500);
    assert.match(half.error.message, /^Not now\. 500 files went before it, and stay\.$/);
    assert.match(half.error.next, /--exclude.*--project p1$/);
    service.faults.splice(0, Infinity, quota, quota);
    const none = JSON.parse((await ingest()).stderr) as { error: { message: string } };
    assert.match(none.error.message, /Nothing was sent\.$/);
    service.faults.length = 0;
    const { code, result } = await ingest();
    assert.deepEqual([code, result.sent, result.unchanged], [0, 904, 500]);
  });

  it('leaves no empty project behind where a quota lets no file in', async () => {
    service.faults.push({ status: 429, code: 'RESOURCE_EXHAUSTED' });
    const { error } = JSON.parse((await ingest()).stderr) as { error: { message: string; next: string } };
    assert.match(error.message, /Nothing was sent\. The new project was taken away again\.$/);
    assert.match(error.next, /run the same command again\.$/);
    assert.ok(
      service.calls.some(({ name, args }) => name === 'projects_delete' && args['project_id'] === 'p1'),
    );
    assert.ok(!existsSync(join(folder.path, '.service-mcp.json')));
    const { code, result } = await ingest();
    assert.deepEqual([code, result.sent], [0, 4]);
  });

  it('halves a batch that is too large for one request and rejects a file that is alone too large', async () => {
    service.largestBody = 700;
    await folder.write('wide.txt', 'y'.repeat(900));
    const { code, result } = await ingest();
    assert.equal(code, 0);
    assert.equal(result.rejected, 1);
    assert.equal(result.rejections[0]?.path, 'wide.txt');
    assert.equal(result.sent + result.unchanged + result.skipped.total + result.rejected, result.scanned);
  });

  it('reports the files that the service rejected', async () => {
    service.rejects = (path) => (path === 'a.ts' ? 'no a' : undefined);
    const { result } = await ingest();
    assert.deepEqual(result.rejections, [{ path: 'a.ts', reason: 'no a' }]);
    assert.equal(result.sent, 3);
  });

  it('deletes missing files only with the option, and never files that this run leaves out', async () => {
    await ingest();
    await rm(join(folder.path, 'a.ts'));
    const kept = await ingest('--exclude', 'src/');
    assert.deepEqual([kept.result.gone, kept.result.removed], [1, 0]);
    const removed = await ingest('--delete-missing', '--exclude', 'src/');
    assert.deepEqual([removed.result.gone, removed.result.removed], [1, 1]);
    assert.deepEqual([...service.files.keys()].toSorted(), ['.gitignore', 'bom.txt', 'src/b.ts']);
  });

  it('counts files as gone that are no longer texts to send, and keeps no former text of them', async () => {
    await ingest();
    await folder.write('a.ts', 'x'.repeat(2000));
    await folder.write('src/b.ts', Uint8Array.of(1, 0, 2));
    const { result } = await ingest();
    assert.deepEqual([result.gone, result.removed], [2, 0]);
    assert.equal((await ingest('--delete-missing')).result.removed, 2);
    assert.deepEqual([...service.files.keys()].toSorted(), ['.gitignore', 'bom.txt']);
  });

  it('sends only the files that --include names', async () => {
    const { result } = await ingest('--include', '*.ts');
    assert.deepEqual([...service.files.keys()].toSorted(), ['a.ts', 'src/b.ts']);
    assert.equal(result.skipped.excluded, 5);
  });

  it('skips and reports files that may hold secrets, unless a pattern names them', async () => {
    await folder.write('.env', 'TOKEN=x');
    const { result } = await ingest();
    assert.equal(result.skipped.secret, 1);
    assert.deepEqual(result.skipped_paths.secret, ['.env']);
    assert.ok(!service.files.has('.env'));
    const shown = await runCommand(['ingest', folder.path, '--url', url, '--max-bytes', '1000', '-v']);
    assert.match(shown.stdout, /1 may hold secrets, 2 binary/);
    assert.match(shown.stderr, /Skipped, may hold secrets.*\n {2}\.env\n/);
    assert.match(shown.stderr, /Skipped, binary\n {2}control\.bin\n {2}nul\.bin\n/);
    assert.equal((await ingest('--include', '*', '--include', '.env')).result.sent, 1);
    assert.ok(service.files.has('.env'));
    assert.equal((await ingest('--delete-missing')).result.removed, 1);
    assert.ok(!service.files.has('.env') && service.files.has('a.ts'));
  });

  it('splits into batches of at most 500 files', async () => {
    for (let i = 0; i < 620; i += 1) await folder.write(`many/${i}.txt`, `${i}`);
    const { result } = await ingest();
    assert.equal(result.sent, 624);
    assert.deepEqual(
      service.batches.map(({ files }) => files).toSorted((a, b) => a - b),
      [124, 500],
    );
  });

  it('prints a remedy when the project is gone', async () => {
    await folder.write('.service-mcp.json', JSON.stringify({ workspace_id: 'w1', project_id: 'lost' }));
    const gone = await ingest();
    assert.equal(gone.code, 1);
    assert.match(JSON.parse(gone.stderr).error.next, /Delete \.service-mcp\.json .* --name/);
    assert.equal((await ingest('--name', 'again')).code, 0);
    await folder.write('.service-mcp.json', '{"workspace_id":');
    assert.match(JSON.parse((await ingest()).stderr).error.message, /damaged/);
  });

  it('sends the key from the environment and leaves no draft behind', async () => {
    const args = ['ingest', folder.path, '--url', url];
    const outcome = await runCommand(args, { env: { SERVICE_API_KEY: 'svc_live_x' } });
    assert.equal(outcome.code, 0, outcome.stderr);
    const keys = service.headers.filter((headers) => headers['x-service-toolset'] === 'complete');
    assert.ok(keys.length > 0 && keys.every((headers) => headers['x-service-api-key'] === 'svc_live_x'));
    assert.match(outcome.stdout, /scanned\s+8/);
    assert.ok(!outcome.stdout.includes('\u001b'), 'no escape codes outside a terminal');
    assert.ok(existsSync(join(folder.path, '.service-mcp.json')));
  });
});
