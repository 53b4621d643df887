import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readAhead } from '#cli/ingest/read-files.js';
import { walkFolder, type FoundFile } from '#cli/ingest/walk-folder.js';

/** Replaces a file again and again, as editors save: by another one that takes its name. */
const REPLACE = `
  const { renameSync, writeFileSync } = require('node:fs');
  const [saved, file] = require('node:worker_threads').workerData;
  for (;;) {
    writeFileSync(saved, 'a\\n');
    renameSync(saved, file);
  }
`;
const OUTSIDE = 'what another folder holds\n';

describe('a folder that changes between the walk and the reading', function () {
  if (process.platform === 'win32') return;
  let scratch: string;
  let root: string;
  beforeEach(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'service-mcp-read-'));
    root = join(scratch, 'project');
    await mkdir(join(root, 'src', 'deep'), { recursive: true });
    await mkdir(join(scratch, 'outside', 'deep'), { recursive: true });
    await writeFile(join(scratch, 'outside', 'a.ts'), OUTSIDE);
    await writeFile(join(scratch, 'outside', 'deep', 'b.ts'), OUTSIDE);
    await writeFile(join(root, 'src', 'a.ts'), 'a\n');
    await writeFile(join(root, 'src', 'deep', 'b.ts'), 'b\n');
  });
  afterEach(() => rm(scratch, { recursive: true, force: true }));

  async function walk(): Promise<FoundFile[]> {
    const files: FoundFile[] = [];
    const options = { excludes: () => false, isSecret: () => false, signal: new AbortController().signal };
    for await (const found of walkFolder(root, options)) if (found.kind === 'file') files.push(found);
    return files;
  }

  /** The text, or the reason, of each file that is read. */
  async function read(files: readonly FoundFile[], from = root): Promise<Record<string, string>> {
    const seen: Record<string, string> = {};
    for await (const file of readAhead(from, files, { maxBytes: 1000, ahead: 4 }))
      seen[file.path] = file.kind === 'text' ? file.file.content : file.reason;
    return seen;
  }

  it('gives the texts of its files, also by a link to the folder', async () => {
    const whole = { 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n' };
    assert.deepEqual(await read(await walk()), whole);
    await symlink(root, join(scratch, 'link'));
    assert.deepEqual(await read(await walk(), join(scratch, 'link')), whole);
    assert.deepEqual(await read(await walk(), await realpath(root)), whole);
  });

  it('gives the text of a file that an editor replaces meanwhile', async () => {
    const [file] = await walk();
    assert.equal(file?.path, 'src/a.ts');
    const workerData = [join(root, '.saved'), join(root, 'src', 'a.ts')];
    const editor = new Worker(REPLACE, { eval: true, workerData });
    try {
      for (let at = 0; at < 500; at += 1) assert.deepEqual(await read([file]), { 'src/a.ts': 'a\n' });
    } finally {
      await editor.terminate();
    }
  });

  it('gives no text of a file that is a link since', async () => {
    const files = await walk();
    await rm(join(root, 'src', 'a.ts'));
    await symlink(join(scratch, 'outside', 'a.ts'), join(root, 'src', 'a.ts'));
    assert.deepEqual(await read(files), { 'src/a.ts': 'symlink', 'src/deep/b.ts': 'b\n' });
  });

  it('gives no text of folders that are links since', async () => {
    const files = await walk();
    await rename(join(root, 'src'), join(scratch, 'former'));
    await symlink(join(scratch, 'outside'), join(root, 'src'));
    assert.deepEqual(await read(files), { 'src/a.ts': 'symlink', 'src/deep/b.ts': 'symlink' });
  });

  it('does not wait for a pipe that took the place of a file', async () => {
    const files = await walk();
    await rm(join(root, 'src', 'a.ts'));
    execFileSync('mkfifo', [join(root, 'src', 'a.ts')]);
    assert.deepEqual(await read(files), { 'src/a.ts': 'special', 'src/deep/b.ts': 'b\n' });
  });

  it('does not wait for a pipe in the place of the rules of its repository', async () => {
    await mkdir(join(root, '.git', 'info'), { recursive: true });
    execFileSync('mkfifo', [join(root, '.git', 'info', 'exclude')]);
    assert.equal((await walk()).length, 2);
  });
});
