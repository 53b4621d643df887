import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY } from '#cli/deployment.js';
import { runCommand } from './support/command.js';
import { folderWith } from './support/folder.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const ARGS = ['tools', '--url', 'http://127.0.0.1:1'];

describe('the name of the command in hints', () => {
  const hint = async (cwd: string, env: Readonly<Record<string, string>>) =>
    /Start it with: (.*) serve/.exec((await runCommand(ARGS, { cwd, env })).stderr)?.[1];

  it('is one that works in the folder where it is printed', async () => {
    const folder = await folderWith({ 'bin/other': '', 'foreign/service-mcp': '' });
    try {
      const none = { PATH: dirname(process.execPath) };
      assert.equal(await hint(join(ROOT, 'docs'), none), 'npx service-mcp');
      assert.equal(await hint(folder.path, none), `node ${BINARY}`);
      await symlink(BINARY, join(folder.path, 'bin', 'service-mcp'));
      assert.equal(await hint(folder.path, { PATH: join(folder.path, 'bin') }), 'service-mcp');
      const shadowed = `${join(folder.path, 'foreign')}:${join(folder.path, 'bin')}`;
      assert.equal(
        await hint(folder.path, { PATH: shadowed }),
        `node ${BINARY}`,
        'another program of that name',
      );
      // npm puts its own folders of binaries on the PATH of what it starts.
      const byNpm = { PATH: join(ROOT, 'node_modules', '.bin'), npm_command: 'exec' };
      assert.equal(await hint(ROOT, byNpm), 'npx service-mcp');
      assert.equal(await hint(folder.path, byNpm), `node ${BINARY}`);
    } finally {
      await folder.remove();
    }
  });
});
