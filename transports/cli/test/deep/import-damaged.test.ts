import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCommand } from '../support/command.js';
import { folderWith } from '../support/folder.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;
const EVENTS = 3;

describe('import of an export that is not as it was written', () => {
  let data: Folder;
  let files: Folder;
  let whole: string[];
  let memory: string[];

  const run = (command: string, ...args: string[]) => runCommand([command, '--data', data.path, ...args]);
  const newWorkspace = async (name: string): Promise<string> => {
    const { stdout, stderr } = await run('call', 'workspaces_create', '--name', name);
    assert.notEqual(stdout, '', stderr);
    return (JSON.parse(stdout) as { id: string }).id;
  };
  const imported = async (workspace: string, lines: readonly string[], ...options: string[]) => {
    await files.write('file.ndjson', `${lines.join('\n')}\n`);
    return run('import', join(files.path, 'file.ndjson'), '--workspace', workspace, ...options);
  };

  before(async () => {
    [data, files] = [await folderWith(), await folderWith()];
    assert.equal((await run('migrate')).code, 0);
    const from = await newWorkspace('from');
    await files.write('project/a.md', 'hello\n');
    const sent = await run('ingest', join(files.path, 'project'), '--workspace', from, '--no-wait');
    assert.equal(sent.code, 0, sent.stderr);
    assert.ok(sent.stderr.includes(`or with: service-mcp serve --data ${data.path}\n`), sent.stderr);
    const events = Array.from({ length: EVENTS }, (_, n) =>
      JSON.stringify({ record: 'event', id: `e${n}`, event_type: 'note', title: `T${n}`, content: `C${n}` }),
    );
    const own = await imported(from, events);
    assert.equal(own.code, 0, `lines of a person's own have no end: ${own.stdout}${own.stderr}`);
    const exported = async (...options: string[]) => {
      const out = join(files.path, 'out.ndjson');
      assert.equal((await run('export', from, '--out', out, ...options)).code, 0);
      return (await readFile(out, 'utf8')).trimEnd().split('\n');
    };
    whole = await exported();
    memory = await exported('--memory');
  });
  after(async () => {
    await data.remove();
    await files.remove();
  });

  it('tells a file that was cut off between two lines, of memory alone too', async () => {
    const to = await newWorkspace('cut');
    for (const lines of [whole, memory]) {
      const { code, stderr } = await imported(to, lines.slice(0, -1));
      assert.equal(code, 1);
      assert.match(stderr, /The export was cut off/);
    }
  });

  it('tells lines that were lost anywhere', async () => {
    const to = await newWorkspace('lost');
    const file = whole.findIndex((line) => line.startsWith('{"record":"file"'));
    for (const [lines, warning] of [
      [memory.slice(1), /1 record that the last line counts is not in the file/],
      [whole.toSpliced(file, 1), /1 record that the last line counts is not in the file/],
      [whole.toSpliced(-3, 2), /2 records that the last line counts are not in the file/],
    ] as const) {
      const { code, stdout, stderr } = await imported(to, lines);
      assert.equal(code, 1, stdout);
      assert.match(stderr, warning);
    }
    const { code, stdout } = await imported(to, memory.slice(1), '--json');
    assert.equal(code, 1);
    assert.equal((JSON.parse(stdout) as { complete: boolean }).complete, false);
    const complete = await imported(to, ['', ...whole]);
    assert.equal(complete.code, 0, complete.stderr);
  });

  it('reads projects and files of one with a byte order mark', async () => {
    const to = await newWorkspace('marked');
    const { code, stdout, stderr } = await imported(to, [`\ufeff${whole[0]}`, ...whole.slice(1)]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^1 project, of which 1 new, 1 file restored\.\n3 records imported/);
  });

  it('says of one that is empty or compressed what to do', async () => {
    const path = join(files.path, 'other');
    for (const [content, message] of [
      ['', /is empty\.[^]*→ Export again\./],
      [gzipSync(whole.join('\n')), /is compressed\.[^]*→ Unpack it first, with: gunzip --keep/],
    ] as const) {
      await writeFile(path, content);
      const { code, stderr } = await run('import', path);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });
});
