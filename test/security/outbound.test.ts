import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { startHosted, type Account, type Hosted } from './start-hosted.js';
import { post } from './raw-http.js';
import { Application, Browser, pkce } from './oauth-browser.js';

/** This machine, in every spelling that some parser somewhere takes; the guard itself is tested in plugins/auth. */
const SPELLINGS = [
  '127.0.0.1',
  'localhost',
  'localhost.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '127.0.0.1.',
  'x@127.0.0.1',
];

/** A name fails like one that does not resolve, whatever it resolves to. */
const statusOf = (clientId: string) => (clientId.startsWith('https://localhost') ? 503 : 400);

describe('threat: server-side requests by spelling', () => {
  let service: Hosted;
  let ann: Account;
  let browser: Browser;
  let connections = 0;
  const inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  before(async () => {
    service = await startHosted();
    ann = await service.account('ann');
    browser = new Browser(service.url);
    await browser.signIn(ann.email);
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    inside.close();
    await service.stop();
  });

  it('a client-id document at an internal address is refused, in any spelling, without a connection', async () => {
    const { port } = inside.address() as AddressInfo;
    const application = new Application(service.url);
    for (const host of SPELLINGS)
      for (const scheme of ['https', 'http']) {
        application.id = `${scheme}://${host}:${port}/client.json`;
        const answer = await browser.get(application.authorize(pkce().challenge));
        assert.equal(answer.status, statusOf(application.id), application.id);
        assert.equal(answer.headers.location, undefined);
        assert.doesNotMatch(
          answer.text,
          /ECONN|ENOTFOUND|resolve|socket|certificate/i,
          'what was found inside',
        );
        const token = await application.token({ grant_type: 'authorization_code', code: 'x' });
        assert.ok([400, 401, statusOf(application.id)].includes(token.status), token.text);
      }
    assert.equal(connections, 0);
  });

  it('nothing else that a client names is fetched', async () => {
    const { port } = inside.address() as AddressInfo;
    const at = `https://127.0.0.1:${port}/x`;
    const metadata = {
      redirect_uris: ['https://client.example/back'],
      jwks_uri: at,
      sector_identifier_uri: at,
      logo_uri: at,
      client_uri: at,
      policy_uri: at,
      tos_uri: at,
      request_uris: [at],
      software_statement: 'x.y.z',
    };
    assert.ok((await post(service.url, '/api/v1/oauth/register', metadata)).status < 500);
    const application = await new Application(service.url).register();
    for (const more of [{ request_uri: at }, { request: 'x.y.z' }, { claims: '{}' }])
      assert.ok((await browser.get(application.authorize(pkce().challenge, more))).status < 500);
    assert.equal(connections, 0);
  });
});
