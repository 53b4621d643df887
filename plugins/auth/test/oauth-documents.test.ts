import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LOCAL_OWNER, ServiceError, definePlugin, provide } from '@service-mcp/core';
import { eachDatabase } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import {
  SafeFetch,
  createClientDocuments,
  createSafeFetch,
  type OutgoingAccess,
} from '@service-mcp/plugin-auth/internals';
import { send, type Browser } from './oauth-browser.js';
import { Client, REDIRECT, form, oauthHost, pkce, signedIn, type OAuthHost } from './oauth-support.js';

const DOCUMENT = 'https://documents.example/oauth/client.json';
const SERVER = '/.well-known/oauth-authorization-server';

/** A machine whose outgoing connections are refused; `probes` counts what asked for them, `online` what a probe finds. */
function offlineMachine() {
  const machine = { online: false, probes: 0, lookups: 0 };
  const fetching = createSafeFetch({
    resolve: async () => {
      machine.lookups++;
      throw new Error('getaddrinfo EAI_AGAIN');
    },
  });
  const web = Object.assign((url: string) => fetching(url), {
    reaches: async (url: string) => {
      machine.probes++;
      return machine.online || fetching.reaches(url);
    },
    close: () => fetching.close(),
  });
  return { machine, web, plugin: withFetch(web) };
}

const withFetch = (web: OutgoingAccess) =>
  definePlugin({
    ...auth,
    services: [
      ...auth.services.filter(({ target }) => target !== SafeFetch),
      provide(SafeFetch, { uses: {}, create: () => web, close: () => web.close() }),
    ],
  });

eachDatabase((fresh) => {
  describe('login without outgoing access', () => {
    const hosts: OAuthHost[] = [];
    after(() => Promise.all(hosts.map((host) => host.stop())));
    async function start(settings: object = {}, server: object = {}) {
      const { machine, plugin } = offlineMachine();
      const host = await oauthHost({ database: await fresh(), plugin, settings, server });
      hosts.push(host);
      const discover = () => send(host.port, `${host.url}${SERVER}`);
      const supported = async () => (await discover()).json()['client_id_metadata_document_supported'];
      return { host, machine, discover, supported };
    }

    it('is not offered by documents on loopback, and works by registration', async () => {
      const { host, machine, discover, supported } = await start();
      assert.equal(machine.probes, 0, 'nothing connects before an application asks');
      assert.deepEqual(await Promise.all([supported(), supported()]), [false, false]);
      assert.equal(machine.probes, 1);
      assert.equal((await discover()).headers['cache-control'], 'no-store', 'the answer can change');
      const browser = await signedIn(host, 'ann@example.com');
      const tokens = await (await new Client(host).register()).tokens(browser);
      assert.ok(await host.tokens.find(tokens.access_token));
    });

    it('ends on a page that names the host and the settings, and registration works after it', async () => {
      const { host, machine, supported } = await start();
      machine.online = true; // a probe passes, the fetch of the document does not
      assert.equal(await supported(), true);
      const browser = await signedIn(host, 'ann@example.com');
      const client = new Client(host);
      client.id = DOCUMENT;
      const page = await browser.get(client.authorizeUrl(pkce().challenge));
      assert.equal(page.status, 503, page.text);
      for (const part of ['documents.example', 'auth.pinned_clients', 'SERVICE_AUTH_CLIENT_DOCUMENTS=never'])
        assert.ok(page.text.includes(part), page.text);
      assert.equal(await supported(), false, 'the failed fetch turned it off');
      assert.equal((await (await new Client(host).register()).tokens(browser)).token_type, 'Bearer');
    });

    it('takes pinned documents as they are, without a fetch', async () => {
      const redirect_uris = ['http://127.0.0.1/callback'];
      const pinned_clients = [
        { client_id: DOCUMENT, client_name: 'Pinned', redirect_uris, logo_uri: 'https://a.example/l.png' },
      ];
      const { host, machine } = await start({ pinned_clients, client_documents: 'never' });
      const browser = await signedIn(host, 'ann@example.com');
      const client = new Client(host);
      client.id = DOCUMENT;
      const page = await browser.get(await client.begin(browser, pkce().challenge));
      assert.match(page.text, /Allow Pinned\?/);
      const tokens = await client.tokens(browser);
      assert.equal((await client.refresh(tokens.refresh_token)).status, 200);
      client.id = 'https://documents.example/other.json';
      assert.equal((await browser.get(client.authorizeUrl(pkce().challenge))).status, 400);
      assert.deepEqual(machine, { online: false, probes: 0, lookups: 0 });
    });

    it('is offered where the deployment is hosted or the operator says so, and not where never', async () => {
      const base_url = 'https://memory.example';
      const cases: [object, object, boolean][] = [
        [{}, { base_url, trusted_proxies: ['loopback'] }, true],
        [{ client_documents: 'always' }, {}, true],
        [{ client_documents: 'never' }, {}, false],
      ];
      for (const [settings, server, expected] of cases) {
        const { host, machine } = await start(settings, server);
        const url = 'base_url' in server ? base_url : (host.url ?? '');
        const answer = await send(host.port, url + SERVER);
        assert.equal(answer.json()['client_id_metadata_document_supported'], expected);
        assert.match(String(answer.headers['cache-control']), /max-age/);
        assert.equal(machine.probes, 0);
      }
    });

    it('refuses to start with a pinned redirect that leaks a code', async () => {
      for (const uri of [
        'http://evil.example/',
        'https://a.example/#b',
        'httpx',
        'http://127.0.0.1.evil.example/',
      ]) {
        const pinned_clients = [{ client_id: DOCUMENT, client_name: 'x', redirect_uris: [uri] }];
        await assert.rejects(start({ pinned_clients }), /auth\.pinned_clients/, uri);
      }
    });
  });
});

describe('the probe of outgoing access', () => {
  it('is repeated after ten minutes, and each loss of access is logged once', async () => {
    const { machine, web } = offlineMachine();
    let now = 0;
    const lines: string[] = [];
    const documents = createClientDocuments({
      fetch: web,
      settings: { pinned_clients: [] },
      deployment: { loopback: true },
      clock: { now: () => new Date(now) },
      log: { warn: (_fields, text) => void lines.push(text) },
    });
    try {
      for (const expected of [false, false]) assert.equal(await documents.supported(), expected);
      now += 11 * 60_000;
      assert.equal(await documents.supported(), false);
      assert.deepEqual([machine.probes, lines.length], [2, 1]);
      machine.online = true;
      now += 11 * 60_000;
      assert.equal(await documents.supported(), true);
      await assert.rejects(documents.fetch('https://10.0.0.1/client.json'), /cannot be fetched/);
      assert.equal(await documents.supported(), true, 'an address that is not fetched tells nothing');
      await assert.rejects(documents.fetch(DOCUMENT), /cannot be fetched/);
      assert.equal(await documents.supported(), false);
      assert.equal(machine.probes, 3);
      assert.equal(lines.filter((line) => line.includes('auth.client_documents')).length, 2);
      assert.equal(lines.filter((line) => line.includes('could not be fetched')).length, 2);
    } finally {
      await web.close();
    }
  });
});

eachDatabase((fresh) => {
  describe('a client-id document that cannot be fetched for a moment', () => {
    const site = { status: 200 };
    const fetching: SafeFetch = async (url) => {
      if (site.status === 0) throw new ServiceError('UNAVAILABLE', 'The address cannot be fetched.');
      const document = { client_id: url, client_name: 'Documented', redirect_uris: [REDIRECT] };
      return { status: site.status, headers: new Headers(), text: JSON.stringify(document) };
    };
    const web = Object.assign(fetching, { reaches: async () => true, close: async () => undefined });
    let host: OAuthHost;
    let browser: Browser;
    before(async () => {
      host = await oauthHost({ database: await fresh(), plugin: withFetch(web) });
      browser = await signedIn(host, 'ann@example.com');
    });
    after(() => host.stop());
    afterEach(() => {
      site.status = 200;
    });
    function application(id: string) {
      const client = new Client(host);
      client.id = id;
      return client;
    }
    /** Has the authorization server rebuilt, which then remembers no document. */
    const forget = () => host.use('auth_rotate_keys', {}, { caller: LOCAL_OWNER, surface: 'cli' });
    const revoke = (client: Client, token: string) =>
      send(host.port, `${host.url}/api/v1/oauth/revoke`, {
        method: 'POST',
        headers: form,
        body: new URLSearchParams({ client_id: client.id, token }).toString(),
      });
    /** Waits until the document is kept, which happens beside the answer with the tokens. */
    async function kept({ id }: Client): Promise<void> {
      const found = () => host.database.sql('oauth_clients').where({ id }).first('id');
      for (let i = 0; i < 1000 && !(await found()); i++) await nextTurn();
    }

    it('keeps the connections of its application', async () => {
      const client = application(DOCUMENT);
      let tokens = await client.tokens(browser);
      await kept(client);
      for (const status of [0, 503, 429]) {
        await forget();
        site.status = status;
        const refreshed = await client.refresh(tokens.refresh_token);
        assert.equal(refreshed.status, 200, refreshed.text);
        tokens = refreshed.json();
      }
      await client.tokens(browser);
      await forget();
      assert.equal((await revoke(client, tokens.refresh_token)).status, 200);
      assert.equal((await client.refresh(tokens.refresh_token)).status, 400);
    });

    it('is an outage where none is kept, which discards no tokens', async () => {
      const client = application('https://documents.example/unkept.json');
      const { refresh_token } = await client.tokens(browser);
      await kept(client);
      const page = await client.begin(browser, pkce().challenge);
      await host.database.sql('oauth_clients').where({ id: client.id }).delete();
      await forget();
      site.status = 0;
      for (const answer of [await client.refresh(refresh_token), await revoke(client, refresh_token)]) {
        assert.deepEqual([answer.status, answer.json()['error']], [503, 'temporarily_unavailable']);
        assert.ok(answer.headers['retry-after']);
      }
      const consent = await browser.get(page);
      assert.equal(consent.status, 503);
      assert.match(consent.text, /could not read the description .* at documents\.example/);
      site.status = 404;
      const gone = await browser.get(page);
      assert.equal(gone.status, 400);
      assert.match(gone.text, /could not read the description/);
      const refused = await client.refresh(refresh_token);
      assert.deepEqual([refused.status, refused.json()['error']], [400, 'invalid_client']);
      site.status = 200;
      assert.equal((await client.refresh(refresh_token)).status, 200);
    });
  });
});
