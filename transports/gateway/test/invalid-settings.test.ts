import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGateway, startGateway } from '@service-mcp/transport-gateway';

const SERVICE = 'http://127.0.0.1:9';

describe('gateway: invalid settings', () => {
  const refused: ReadonlyArray<readonly [string, object, RegExp]> = [
    [
      'an address of another protocol',
      { upstream: { url: 'ftp://127.0.0.1' } },
      /not an http or https address/,
    ],
    ['a credential in the address', { upstream: { url: 'http://me:word@127.0.0.1' } }, /SERVICE_API_KEY/],
    ['a query in the address', { upstream: { url: 'http://127.0.0.1/?key=1' } }, /a query or a fragment/],
    [
      'an MCP endpoint',
      { upstream: { url: 'http://127.0.0.1:8080/mcp' } },
      /is the address of an MCP endpoint/,
    ],
    ['not an address', { upstream: { url: 'nowhere' } }, /upstream\.url in the deployment file/],
    ['a short secret', { upstream: { jwt_secret: 'short' } }, /has 5 bytes; it needs 32[^]*openssl rand/],
    ['a repeated secret', { upstream: { jwt_secret: 'abcdefghij'.repeat(4) } }, /a repeated pattern/],
    [
      'a known secret',
      { upstream: { jwt_secret: 'your-very-secret-jwt-signing-key-change-me-please' } },
      /common words/,
    ],
    ['a key with a line break', { upstream: { api_key: 'a\nb' } }, /upstream\.api_key/],
    ['an unknown field', { upstream: { api_kye: 'a' } }, /Did you mean "api_key"/],
    ['an unknown section', { upstraem: {} }, /Did you mean "upstream"/],
    ['a section of a plugin', { search: {} }, /Known: server, log, upstream\. Take it out\.$/],
    ['a section of a deployment', { plugins: [] }, /reaches another service[^]*service-mcp serve/],
    ['a list in place of a section', { server: [] }, /"server": \{/],
  ];
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'service-mcp-gateway-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [what, given, message] of refused) {
    it(`${what} is named, with a remedy`, async () => {
      const path = join(folder, 'gateway.json');
      await writeFile(path, JSON.stringify({ log: { level: 'silent' }, ...given }));
      const starting = loadGateway(path, {}, { host: '127.0.0.1', port: 0 }).then(startGateway);
      await assert.rejects(starting, (error: Error) => {
        assert.equal(error.name, 'BootError');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /me:word|abcdefghij|change-me/, 'a secret is in the message');
        return true;
      });
    });
  }

  it('the environment wins over a file, and a flag over both', async () => {
    const path = join(folder, 'gateway.json');
    await writeFile(path, JSON.stringify({ server: { port: 1 }, upstream: { url: 'http://file.example' } }));
    const env = { SERVICE_API_URL: `${SERVICE}/base/`, SERVICE_PORT: '2', SERVICE_API_KEY: ' key\n' };
    const settings = await loadGateway(path, env, { port: 3 });
    assert.deepEqual(
      [settings.base, settings.server.host, settings.server.port],
      [`${SERVICE}/base`, '0.0.0.0', 3],
    );
    assert.equal(settings.upstream.api_key, 'key');
  });

  it('an IPv6 address may be in brackets, as in a URL, wherever it is set', async () => {
    const path = join(folder, 'gateway.json');
    await writeFile(path, JSON.stringify({ server: { host: '[::1]' } }));
    const hosts = [
      await loadGateway(path, {}),
      await loadGateway(undefined, { SERVICE_HOST: '[::1]' }),
      await loadGateway(undefined, {}, { host: '[::1]' }),
    ].map(({ server }) => server.host);
    assert.deepEqual(hosts, ['::1', '::1', '::1']);
  });

  it('a variable that no gateway reads is found, with a suggestion; those of others are not', async () => {
    const env = {
      SERVICE_API_ULR: SERVICE,
      SERVICE_REGISTRATION_MODE: 'open',
      SERVICE_CONFIG: 'deployment.json',
      SERVICE_DATA_DIR: '/data',
      SERVICE_MCP_PORT: 'tcp://10.0.0.1:8080',
      MCP_HTTP_REQUIRE_AUTH: 'false',
    };
    const { strayVariables } = await loadGateway(undefined, env);
    assert.deepEqual(strayVariables, [
      {
        variable: 'SERVICE_API_ULR',
        fault: 'SERVICE_API_ULR is not a setting of a gateway',
        remedy: 'Did you mean "SERVICE_API_URL"?',
      },
      {
        variable: 'SERVICE_REGISTRATION_MODE',
        fault: 'SERVICE_REGISTRATION_MODE is not a setting of a gateway',
        remedy: 'Unset it, or set it for the service.',
      },
    ]);
  });
});
