import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ended, runCommand, startCommand, told } from '../support/command.js';
import { folderWith } from '../support/folder.js';

const PLUGINS = ['@service-mcp/plugin-auth', '@service-mcp/plugin-workspaces'];

describe('the last administrator who can log in', () => {
  it('may be taken away by the operator, who is told how to have one again', async () => {
    const deployment = { plugins: PLUGINS, transports: ['@service-mcp/transport-rest'] };
    const home = await folderWith({ 'slim.json': JSON.stringify(deployment) });
    const here = ['--config', join(home.path, 'slim.json'), '--data', join(home.path, 'data')];
    const env = { XDG_CONFIG_HOME: join(home.path, 'config') };
    const server = startCommand(['serve', '--json', '--port', '0', ...here], { env });
    try {
      const { url } = JSON.parse(await told(server, '\n}\n')) as { url: string };
      const accounts = (...words: string[]) => runCommand(['accounts', ...words, ...here], { env });
      const { stdout: link } = await accounts('reset', 'owner@localhost');
      const body = { reset_token: new URL(link).searchParams.get('token'), new_password: 'lantern keeper 7' };
      const answer = await fetch(`${url}/v1/auth/password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 200, await answer.text());
      await accounts('create', 'ann@example.org', '--administrator'); // has no password
      const warning = async (...words: string[]) => {
        const { stderr } = await accounts(...words, 'owner@localhost');
        return stderr.replaceAll(` ${here.join(' ')}`, '');
      };
      const enable = 'service-mcp accounts enable owner@localhost';
      const appoint = 'service-mcp accounts administrator owner@localhost';
      const again = (command: string) =>
        new RegExp(`No administrator can log in now\\. To have one again: ${command}\n`);
      assert.match(await warning('disable'), again(enable));
      assert.match(await warning('administrator', '--off'), again(`${enable} && ${appoint}`));
      await accounts('enable', 'owner@localhost');
      await accounts('administrator', 'owner@localhost');
      assert.match(await warning('administrator', '--off'), again(appoint));
      const { stderr } = await accounts('disable', 'ann@example.org');
      assert.match(stderr, /No administrator is left now\. .* accounts enable ann@example\.org/);

      await accounts('enable', 'ann@example.org');
      const key = await runCommand(['keys', 'create', 'bot', '--account', 'ann@example.org', ...here], {
        env,
      });
      const made = await fetch(`${url}/v1/workspaces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key.stdout.trim()}` },
        body: JSON.stringify({ name: 'diary' }),
      });
      assert.equal(made.status, 201, await made.text());
      const refused = await accounts('delete', 'ann@example.org');
      assert.match(
        refused.stderr,
        /only member of "diary"\.\n→ Run: service-mcp accounts delete ann@example\.org --with-workspaces --config/,
      );
      const deleted = await accounts('delete', 'ANN@example.org', '--with-workspaces');
      assert.equal(deleted.stdout, 'ann@example.org is deleted.\n');
      assert.match(deleted.stderr, /To have one again: .* accounts create ANN@example\.org --administrator/);
      await accounts('create', 'Jos\u00E9@example.org');
      const decomposed = await accounts('delete', 'jose\u0301@example.org'); // as terminals of macOS give it
      assert.equal(decomposed.stdout, 'jos\u00E9@example.org is deleted.\n');
      const unknown = await accounts('delete', 'ann@example.org');
      assert.match(unknown.stderr, /no account ann@example\.org\.\n→ Run: service-mcp accounts list/);
    } finally {
      const end = ended(server);
      server.kill('SIGTERM');
      await end;
      await home.remove();
    }
  });
});
