import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { folderWith } from '../support/folder.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

describe('a name in the place of the id of a workspace', () => {
  let data: Folder;
  let files: Folder;
  const ids: Record<'team' | 'twin' | 'other', string> = { team: '', twin: '', other: '' };
  before(async () => {
    data = await folderWith();
    const event = { record: 'event', id: 'e', event_type: 'note', title: 't', content: 'c' };
    const whole = [
      { record: 'project', id: 'p', name: 'p' },
      { record: 'end', records: 1 },
    ];
    files = await folderWith({
      'memory.ndjson': `${JSON.stringify(event)}\n`,
      'whole.ndjson': whole.map((each) => `${JSON.stringify(each)}\n`).join(''),
    });
    assert.equal((await runCommand(['migrate', '--data', data.path])).code, 0);
    ids.team = await make('Team');
    ids.twin = await make('Twin');
    await make('Twin');
    ids.other = await make('Other');
  });
  after(async () => {
    await data.remove();
    await files.remove();
  });

  const make = async (name: string) => {
    const made = await runCommand(['call', '--data', data.path, 'workspaces_create', '--name', name]);
    return (JSON.parse(made.stdout) as { id: string }).id;
  };
  const refused = async (args: readonly string[], message: RegExp) => {
    const { code, stdout, stderr } = await runCommand([...args, '--data', data.path]);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, message);
  };

  it('is answered in an empty service with the command that makes one there', async () => {
    const empty = await folderWith();
    const here = ['--data', empty.path];
    const memory = join(files.path, 'memory.ndjson');
    assert.equal((await runCommand(['migrate', ...here])).code, 0);
    for (const [args, next] of [
      [['search', 'x'], `ingest DIR --data ${empty.path}`],
      [['import', memory, '--workspace', 'Team'], `call --data ${empty.path} workspaces_create --name NAME`],
    ] as const) {
      const { code, stderr } = await runCommand([...args, ...here]);
      assert.equal(code, 1, stderr);
      assert.ok(stderr.includes(next), stderr);
    }
    await empty.remove();
  });

  for (const file of ['memory.ndjson', 'whole.ndjson'])
    it(`is not needed in an empty service for ${file}: the import makes the first workspace`, async () => {
      const empty = await folderWith();
      const here = ['--data', empty.path];
      assert.equal((await runCommand(['migrate', ...here])).code, 0);
      const { code, stderr } = await runCommand(['import', join(files.path, file), ...here]);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^Made the workspace default\.$/m);
      const listed = await runCommand(['call', ...here, 'workspaces_list']);
      const { items } = JSON.parse(listed.stdout) as { items: Array<{ name: string }> };
      assert.deepEqual(
        items.map(({ name }) => name),
        ['default'],
      );
      await empty.remove();
    });

  it('is answered with the id and the command that takes it, by every command', async () => {
    const told = (flag: string) =>
      new RegExp(`not a name.*\n→ "Team" has the id ${ids.team}: choose it with ${flag} ${ids.team}`);
    await refused(['export', 'Team'], told(`service-mcp export --data ${data.path}`));
    await refused(['export', 'team', '--memory'], new RegExp(`"team" has the id ${ids.team}`));
    await refused(['export', '--workspace', 'Team'], told(`service-mcp export --data ${data.path}`));
    await refused(['search', 'x', '--workspace', 'Team'], told('--workspace'));
    for (const file of ['memory.ndjson', 'whole.ndjson'])
      await refused(['import', join(files.path, file), '--workspace', 'Team'], told('--workspace'));
    await refused(['ingest', files.path, '--workspace', 'Team'], told('--workspace'));
  });

  it('is answered with all workspaces of that name, or all there are', async () => {
    await refused(
      ['export', 'Twin'],
      new RegExp(`"Twin" is the name of 2 workspaces:[^]*${ids.twin}  Twin[^]*export --data \\S+ ID`),
    );
    await refused(
      ['export', 'Nope'],
      new RegExp(
        `"Nope" is neither the id nor the name of a workspace\\.[^]*4 workspaces:[^]*${ids.other}  Other[^]*export --data \\S+ ID`,
      ),
    );
    await refused(['export', ''], /"" is neither the id/);
  });
});
