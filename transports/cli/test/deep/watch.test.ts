import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ended, startCommand, type CommandOutcome } from '../support/command.js';
import { folderWith } from '../support/folder.js';
import { FaultyService } from '../support/service.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;
type Event = Readonly<Record<string, unknown>> & { readonly event: string };

describe('ingest --watch', () => {
  let service: FaultyService;
  let url: string;
  let folder: Folder;
  let child: ChildProcess;
  let outcome: Promise<CommandOutcome>;
  let events: Event[];

  beforeEach(async () => {
    service = new FaultyService();
    url = await service.start();
    folder = await folderWith({ '.gitignore': 'dist/\n*.log\n', 'a.ts': 'one\n', 'src/b.ts': 'two\n' });
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await outcome;
    await service.stop();
    await folder.remove();
  });

  function start(place: readonly string[], ...args: string[]): void {
    child = startCommand(['ingest', folder.path, ...place, '--watch', ...args]);
    outcome = ended(child);
    events = [];
    const lines = createInterface({ input: child.stdout! });
    if (args.includes('--json')) lines.on('line', (line) => events.push(JSON.parse(line) as Event));
  }

  /** Waits until the command has reported an event. */
  async function reported(name: string): Promise<Event> {
    for (;;) {
      const ending = child.exitCode === null ? undefined : await outcome;
      const found = events.find(({ event }) => event === name);
      if (found) return found;
      assert.equal(ending, undefined, ending?.stderr);
      await delay(5);
    }
  }

  async function watching(): Promise<void> {
    start(['--url', url], '--json');
    await reported('watching');
  }

  /** Waits until the project holds exactly these files with these texts. */
  async function holds(files: Readonly<Record<string, string>>): Promise<void> {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const lines = (pairs: readonly (readonly [path: string, hash: string])[]) =>
      pairs
        .map((pair) => pair.join(' '))
        .toSorted()
        .join('\n');
    const expected = lines(Object.entries(files).map(([path, text]) => [path, sha256(text)]));
    const held = () => lines([...service.files].map(([path, file]) => [path, file.sha256]));
    while (held() !== expected) {
      const ending = child.exitCode === null ? undefined : await outcome;
      assert.equal(ending, undefined, 'the command ended before the project was up to date');
      await delay(20);
    }
  }

  const START = { '.gitignore': 'dist/\n*.log\n', 'a.ts': 'one\n', 'src/b.ts': 'two\n' };

  it('sends what is changed, added, renamed and deleted', async () => {
    await watching();
    await holds(START);
    await folder.write('a.ts', 'changed\n');
    await folder.write('new/deep/c.ts', 'three\n');
    await holds({ ...START, 'a.ts': 'changed\n', 'new/deep/c.ts': 'three\n' });
    await rename(join(folder.path, 'src'), join(folder.path, 'lib'));
    await rm(join(folder.path, 'a.ts'));
    const rest = { '.gitignore': START['.gitignore'], 'new/deep/c.ts': 'three\n' };
    await holds({ ...rest, 'lib/b.ts': 'two\n' });
    await folder.write('lib/b.ts', 'in a renamed folder\n');
    await holds({ ...rest, 'lib/b.ts': 'in a renamed folder\n' });
    assert.ok((await reported('updated'))['sent']);
    assert.equal((await reported('indexed'))['failed'], 0);
  });

  it('sees editors that write a file beside and rename it, and folders that are moved in', async () => {
    await watching();
    await folder.write('a.ts.tmp', 'saved\n');
    await rename(join(folder.path, 'a.ts.tmp'), join(folder.path, 'a.ts'));
    await holds({ ...START, 'a.ts': 'saved\n' });
    const outside = await mkdtemp(join(tmpdir(), 'service-mcp-cli-'));
    await mkdir(join(outside, 'x/y'), { recursive: true });
    await writeFile(join(outside, 'x/y/d.ts'), 'four\n');
    await rename(join(outside, 'x'), join(folder.path, 'x'));
    await rm(outside, { recursive: true });
    await holds({ ...START, 'a.ts': 'saved\n', 'x/y/d.ts': 'four\n' });
    await folder.write('x/y/d.ts', 'five\n');
    await holds({ ...START, 'a.ts': 'saved\n', 'x/y/d.ts': 'five\n' });
  });

  it('sees what changes in folders that were deleted and made again at once, or took the place of another', async () => {
    await watching();
    rmSync(join(folder.path, 'src'), { recursive: true });
    mkdirSync(join(folder.path, 'src'));
    writeFileSync(join(folder.path, 'src/b.ts'), 'made again\n');
    await holds({ ...START, 'src/b.ts': 'made again\n' });
    await folder.write('src/b.ts', 'later\n');
    await folder.write('lib/c.ts', 'three\n');
    await holds({ ...START, 'src/b.ts': 'later\n', 'lib/c.ts': 'three\n' });
    for (const [from, to] of ['src former', 'lib src', 'former lib'].map((each) => each.split(' ')))
      renameSync(join(folder.path, from ?? ''), join(folder.path, to ?? ''));
    const { 'src/b.ts': _, ...rest } = START;
    await holds({ ...rest, 'lib/b.ts': 'later\n', 'src/c.ts': 'three\n' });
    await folder.write('src/c.ts', 'in its new place\n');
    await folder.write('lib/b.ts', 'likewise\n');
    await holds({ ...rest, 'lib/b.ts': 'likewise\n', 'src/c.ts': 'in its new place\n' });
  });

  it('follows ignore rules, also when they change, and skips what an ingest skips', async () => {
    await watching();
    await folder.write('dist/out.js', 'built');
    await folder.write('run.log', 'line');
    await folder.write('data.bin', Uint8Array.of(0, 1));
    await folder.write('.env', 'TOKEN=x');
    await symlink(join(folder.path, 'a.ts'), join(folder.path, 'link.ts'));
    await folder.write('after.ts', 'sent\n');
    await holds({ ...START, 'after.ts': 'sent\n' });
    await folder.write('after.ts', Uint8Array.of(0, 1));
    await holds(START);
    const deleted = service.calls.flatMap(({ name, args }) => (name === 'files_delete' ? args['paths'] : []));
    assert.deepEqual(deleted, ['after.ts']);
    await folder.write('after.ts', 'sent\n');
    await holds({ ...START, 'after.ts': 'sent\n' });
    await folder.write('.gitignore', '*.log\nsrc/\n');
    const { 'src/b.ts': _, ...rest } = START;
    const now = { ...rest, '.gitignore': '*.log\nsrc/\n', 'after.ts': 'sent\n' };
    await holds({ ...now, 'dist/out.js': 'built' });
    await folder.write('dist/out.js', 'built again');
    await holds({ ...now, 'dist/out.js': 'built again' });
  });

  it('makes few batches of many changes', async () => {
    await watching();
    service.batches.length = 0;
    const many = Object.fromEntries(
      Array.from({ length: 1500 }, (_, i) => [`many/${i % 40}/${i}.ts`, `${i}\n`]),
    );
    for (const [path, text] of Object.entries(many)) await folder.write(path, text);
    await holds({ ...START, ...many });
    assert.ok(service.batches.length <= 20, `${service.batches.length} batches`);
  });

  it('catches up after the service was away', async () => {
    await watching();
    await service.stop();
    await folder.write('a.ts', 'while away\n');
    await reported('away');
    await folder.write('c.ts', 'also while away\n');
    await rm(join(folder.path, 'src/b.ts'));
    await service.start();
    const { 'src/b.ts': _, ...rest } = START;
    await holds({ ...rest, 'a.ts': 'while away\n', 'c.ts': 'also while away\n' });
    await reported('back');
  });

  it('deletes a file that is gone before it knows that it was sent', async () => {
    await watching();
    service.waitOf = async (name) => {
      if (name !== 'files_ingest') return;
      await rm(join(folder.path, 'c.ts'));
      await service.stop();
    };
    await folder.write('c.ts', 'three\n');
    await reported('away');
    assert.ok(service.files.has('c.ts'));
    service.waitOf = () => undefined;
    await service.start();
    await holds(START);
  });

  it('lists a large project page by page, as fast as the service allows', async () => {
    service.pageSize = 1;
    await watching();
    let last: unknown;
    service.faultOf = (name, { page }) => {
      if (name !== 'files_list') return undefined;
      const isOverRate = last === 1 && page === 2;
      last = page;
      return isOverRate ? { status: 429, code: 'RATE_LIMITED', retryAfter: '0' } : undefined;
    };
    service.faults.push({ status: 503, code: 'UNAVAILABLE', retryAfter: '0' });
    await folder.write('a.ts', 'changed\n');
    await reported('back');
    await holds({ ...START, 'a.ts': 'changed\n' });
  });

  it('tells that a change is indexed, also after an answer that was lost', async () => {
    await watching();
    await reported('indexed');
    events.length = 0;
    let lost = false;
    service.faultOf = (name) => {
      if (name !== 'projects_index_status' || lost) return undefined;
      lost = true;
      return 'reset';
    };
    await folder.write('a.ts', 'changed\n');
    await reported('updated');
    await reported('indexed');
    assert.ok(lost);
  });

  it('takes no answer from before a change for the end of its indexing', async () => {
    await watching();
    await reported('indexed');
    events.length = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    service.waitOf = (name) => (name === 'projects_index_status' ? released : undefined);
    await folder.write('a.ts', 'changed\n');
    await reported('updated');
    events.length = 0;
    await folder.write('c.ts', 'three\n');
    await reported('updated');
    release();
    assert.equal((await reported('indexed'))['indexed'], 4);
  });

  it('keeps files that it never saw, unless told to delete them', async () => {
    service.files.set('elsewhere.ts', { sha256: 'x', bytes: 1 });
    await folder.write('.service-mcp.json', '{"workspace_id":"w1","project_id":"p1"}');
    service.create();
    await watching();
    await rm(join(folder.path, 'a.ts'));
    while (service.files.has('a.ts')) await delay(20);
    assert.ok(service.files.has('elsewhere.ts'));
  });

  it('indexes in this process where there is no service', async () => {
    const data = await folderWith();
    try {
      start(['--data', data.path], '--json');
      await reported('indexed');
      events.length = 0;
      await folder.write('c.ts', 'three\n');
      assert.deepEqual([(await reported('updated'))['sent'], (await reported('indexed'))['indexed']], [1, 4]);
      child.kill('SIGTERM');
      assert.equal((await outcome).code, 0);
    } finally {
      await data.remove();
    }
  });

  it('ends at a refusal that no retry changes', async () => {
    await watching();
    service.faults.push({ status: 403, code: 'PERMISSION_DENIED' });
    await folder.write('a.ts', 'refused\n');
    const { code, stderr } = await outcome;
    assert.equal(code, 1);
    assert.equal(JSON.parse(stderr).error.code, 'PERMISSION_DENIED');
  });

  it('ends with an error when the folder is deleted, and deletes nothing from the project', async () => {
    await watching();
    await rm(folder.path, { recursive: true });
    const { code, stderr } = await outcome;
    assert.equal(code, 1);
    assert.match(JSON.parse(stderr).error.message, /was deleted or moved away/);
    assert.deepEqual([...service.files.keys()].toSorted(), Object.keys(START).toSorted());
  });

  it('ends with a summary and code 0 at Ctrl-C', async () => {
    start(['--url', url]);
    let stdout = '';
    child.stdout?.on('data', (part: Buffer) => (stdout += part.toString('utf8')));
    while (!stdout.includes('watching')) await once(child.stdout!, 'data');
    await folder.write('a.ts', 'changed\n');
    while (!stdout.includes('1 sent')) await once(child.stdout!, 'data');
    child.kill('SIGINT');
    const ending = await outcome;
    assert.equal(ending.code, 0);
    assert.match(ending.stdout, /\d\d:\d\d:\d\d {2}1 sent, 0 removed\n/);
    assert.match(ending.stdout, /Stopped after .*: 1 update, 1 sent, 0 removed\./);
    assert.ok(!ending.stdout.includes('\u001b'), 'no escape codes outside a terminal');
  });
});
