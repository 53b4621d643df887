import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, open, readFile, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, writeOut } from '#cli/replace-file.js';
import { folderWith } from './support/folder.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

describe('a file that is replaced', () => {
  let folder: Folder;
  let target: string;
  beforeEach(async () => {
    folder = await folderWith({ 'out.ndjson': 'earlier' });
    target = join(folder.path, 'out.ndjson');
  });
  afterEach(() => folder.remove());

  /** A process that has written half of the file, and waits for a line before it ends by itself. */
  async function writer() {
    const program = `
      import { replaceFile } from ${JSON.stringify(import.meta.resolve('#cli/replace-file.js'))};
      await replaceFile(${JSON.stringify(target)}, async (file) => {
        await file.appendFile('half');
        console.log('written');
        await new Promise((resolve) => process.stdin.once('data', resolve));
        process.exit(130);
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    await once(child.stdout, 'data');
    return {
      async end(how: 'killed' | 'exits') {
        const ended = once(child, 'close');
        if (how === 'killed') child.kill('SIGKILL');
        else child.stdin.write('\n');
        await ended;
      },
    };
  }
  const names = () => readdir(folder.path);

  it('has no draft beside it after its process exits in between', async () => {
    await (await writer()).end('exits');
    assert.deepEqual(await names(), ['out.ndjson']);
    assert.equal(await readFile(target, 'utf8'), 'earlier');
  });

  it('loses the drafts of killed processes when it is written next, and no other file', async () => {
    await folder.write('out.ndjson.0a1b2c3d-1-0a1b2c3d.tmp', 'of another machine');
    await folder.write('out.ndjson.notes.tmp', 'of a person');
    const [killed, running] = [await writer(), await writer()];
    try {
      await killed.end('killed');
      assert.equal((await names()).length, 5);
      await replaceFile(target, (file) => file.appendFile('later'));
      const left = await names();
      assert.equal(left.length, 4, left.join(' '));
      assert.ok(left.includes('out.ndjson.notes.tmp') && left.includes('out.ndjson.0a1b2c3d-1-0a1b2c3d.tmp'));
      assert.equal(await readFile(target, 'utf8'), 'later');
    } finally {
      await running.end('exits');
    }
    assert.equal((await names()).length, 3);
  });

  it('stays a link, a pipe or a device where it is one', async function () {
    if (process.platform === 'win32') return this.skip();
    const inFolder = (name: string) => join(folder.path, name);
    const [link, later, pipe] = [inFolder('link'), inFolder('later'), inFolder('pipe')];
    await symlink('out.ndjson', link);
    await symlink('none-yet', later);
    execFileSync('mkfifo', [pipe]);
    await using reader = await open(pipe, 'r+'); // waits for nobody at the other end
    for (const path of [link, later, pipe]) await writeOut(path, (file) => file.appendFile('through'), 0o600);
    assert.ok((await lstat(pipe)).isFIFO() && (await lstat(link)).isSymbolicLink());
    assert.equal((await reader.read()).buffer.toString('utf8', 0, 7), 'through');
    for (const path of [target, inFolder('none-yet')]) assert.equal(await readFile(path, 'utf8'), 'through');
    assert.deepEqual((await names()).toSorted(), ['later', 'link', 'none-yet', 'out.ndjson', 'pipe']);
    await assert.rejects(() => writeOut(folder.path, async () => undefined), { code: 'EISDIR' });
  });
});
