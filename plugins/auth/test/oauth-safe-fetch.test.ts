import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { definePlugin, provide } from '@service-mcp/core';
import { eachDatabase } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import {
  SafeFetch,
  canonicalResource,
  createSafeFetch,
  isPublicAddress,
} from '@service-mcp/plugin-auth/internals';
import { Client, oauthHost, pkce, signedIn, type OAuthHost } from './oauth-support.js';

const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

/** A foreign web server: documents by path. */
async function documents(
  serve: (path: string) => {
    status?: number;
    headers?: Record<string, string>;
    body: string | Buffer;
    slow?: boolean;
  },
) {
  const [key, cert] = await Promise.all([fixture('documents.key'), fixture('documents.crt')]);
  let hits = 0;
  const server: Server = createServer({ key, cert }, (request, response) => {
    hits += 1;
    const { status = 200, headers = {}, body, slow } = serve(request.url ?? '/');
    response.writeHead(status, headers);
    if (slow) response.write(body.slice(0, 1));
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, cert, hits: () => hits, close };
}

const nowhere = [{ address: '127.0.0.1', family: 4 }];

describe('outbound fetches', () => {
  it('distinguish public addresses', () => {
    const ours = [
      '127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '0.1.2.3',
      '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.0.0.1', '192.88.99.1',
      '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1', '::7f00:1', '64:ff9b::7f00:1',
      '64:ff9b::a00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2002:a00:1::1', '2001::1', '2001:db8::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0',
      'fec0::1', 'ff02::1', '100::1', 'not an address', '', '3fff::1', '5f00::1',
    ]; // prettier-ignore
    for (const address of ours) assert.equal(isPublicAddress(address), false, address);
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700:4700::1111',
      '2a00:1450::1',
    ])
      assert.equal(isPublicAddress(address), true, address);
  });

  it('reject every spelling of an internal address, and every scheme but https, before resolving or connecting', async () => {
    const site = await documents(() => ({ body: '{}' }));
    let resolved = 0;
    const guarded = createSafeFetch({ ca: site.cert, resolve: async () => (resolved++, nowhere) });
    try {
      const hosts = [
        '127.0.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '127.1', '127.0.1', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]',
        '169.254.169.254', '2852039166', '0xa9fea9fe', '１２７.０.０.１', '127。0。0。1', '[fe80::1]', '[fd00::1]', '100.64.0.1', '224.0.0.1',
      ]; // prettier-ignore
      for (const host of hosts)
        await assert.rejects(guarded(`https://${host}:${site.port}/`), /cannot be fetched/, host);
      const urls = [
        'http://documents.example/',
        'ftp://documents.example/',
        'file:///etc/passwd',
        'data:,x',
        'https://user:pass@documents.example/',
        'x',
        '',
      ];
      for (const url of urls) await assert.rejects(guarded(url), /cannot be fetched/, url);
      assert.equal(resolved, 0);
      assert.equal(site.hits(), 0);
    } finally {
      await guarded.close();
      site.close();
    }
  });

  it('reject a name that resolves to an internal address, and connect to the checked address', async () => {
    const site = await documents(() => ({ body: '{}' }));
    const public_ = { address: '8.8.8.8', family: 4 };
    for (const found of [nowhere, [public_, ...nowhere], [{ address: '::ffff:10.0.0.1', family: 6 }], []]) {
      const guarded = createSafeFetch({ ca: site.cert, resolve: async () => found });
      const failed = { code: 'UNAVAILABLE', message: /cannot be fetched/ };
      await assert.rejects(guarded(`https://documents.example:${site.port}/`), failed);
      await guarded.close();
    }
    assert.equal(site.hits(), 0);
    // Rebinding: public at the first lookup, internal at the second. There is no second lookup.
    let asked = 0;
    const checked: string[] = [];
    const guarded = createSafeFetch({
      ca: site.cert,
      timeoutMs: 300,
      resolve: async () => (asked++ === 0 ? [{ address: '192.0.2.1', family: 4 }] : nowhere),
      permits: (address) => (checked.push(address), !address.startsWith('127.')),
    });
    await assert.rejects(guarded(`https://rebound.example:${site.port}/`), { code: 'UNAVAILABLE' });
    assert.deepEqual([asked, checked, site.hits()], [1, ['192.0.2.1'], 0]);
    await guarded.close();
    site.close();
  });

  it('limit what a compressed document decodes to', async () => {
    const text = 'x'.repeat(64 * 1024 * 1024);
    const bodies = { br: brotliCompressSync(text), gzip: gzipSync(text.slice(0, 16 * 1024 * 1024)) };
    const site = await documents((path) => {
      const encoding = path.slice(1) as keyof typeof bodies;
      return { headers: { 'content-encoding': encoding }, body: bodies[encoding] };
    });
    const guarded = createSafeFetch({
      ca: site.cert,
      resolve: async () => nowhere,
      permits: () => true,
    });
    try {
      for (const encoding of Object.keys(bodies)) {
        const address = `https://documents.example:${site.port}/${encoding}`;
        await assert.rejects(guarded(address), /cannot be fetched/, encoding);
      }
    } finally {
      await guarded.close();
      site.close();
    }
  });

  it('limit size and time, and follow no redirect', async () => {
    const site = await documents((path) => {
      if (path === '/large') return { body: 'x'.repeat(40 * 1024) };
      if (path === '/slow') return { body: 'xx', slow: true };
      if (path === '/away') return { status: 302, headers: { location: '/ok' }, body: '' };
      return { body: '{"ok":true}', headers: { 'cache-control': 'max-age=60' } };
    });
    const guarded = createSafeFetch({
      ca: site.cert,
      timeoutMs: 500,
      resolve: async () => nowhere,
      permits: () => true,
    });
    const at = (path: string) => `https://documents.example:${site.port}${path}`;
    try {
      const ok = await guarded(at('/ok'));
      assert.deepEqual(
        [ok.status, ok.text, ok.headers.get('cache-control')],
        [200, '{"ok":true}', 'max-age=60'],
      );
      for (const path of ['/large', '/slow', '/away'])
        await assert.rejects(guarded(at(path)), /cannot be fetched/, path);
      assert.equal(site.hits(), 4, 'nobody followed the redirect');
      assert.equal(await guarded.reaches(at('/')), true);
      assert.equal(await guarded.reaches('https://documents.example:1/'), false);
    } finally {
      await guarded.close();
      site.close();
    }
  });

  it('accepts loopback on any port as a gateway, and no other host', () => {
    const origins = { base: 'https://api.example', mcp: 'https://mcp.example', web: 'https://app.example' };
    for (const one of [
      'https://mcp.example/mcp',
      'HTTPS://MCP.EXAMPLE:443/mcp/',
      'https://api.example',
      'http://127.0.0.1:8787/mcp',
      'http://localhost/',
    ])
      assert.equal(canonicalResource(one, origins), 'https://mcp.example/mcp', one);
    for (const one of [
      'https://mcp.example.evil/mcp',
      'http://mcp.example/mcp',
      'https://app.example/mcp',
      'https://x@mcp.example/mcp',
      'ws://127.0.0.1/mcp',
      'http://10.0.0.1/mcp',
      '#',
      'https://mcp.example/mcp/x',
    ])
      assert.equal(canonicalResource(one, origins), undefined, one);
  });
});

eachDatabase((fresh) => {
  describe('client-id documents', () => {
    let host: OAuthHost;
    let site: Awaited<ReturnType<typeof documents>>;
    const at = (path: string) => `https://documents.example:${site.port}${path}`;
    before(async () => {
      site = await documents((path) => {
        const document = {
          client_id: at(path),
          client_name: 'Documented',
          redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
          scope: 'openid',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        };
        if (path === '/other.json')
          return { body: JSON.stringify({ ...document, client_id: at('/good.json') }) };
        if (path === '/http.json')
          return { body: JSON.stringify({ ...document, redirect_uris: ['http://evil.example/'] }) };
        if (path === '/none.json') return { status: 404, body: '{}' };
        if (path === '/text.json') return { body: 'hello' };
        return { body: JSON.stringify(document) };
      });
      // The test's web server is on this machine, which the check would reject.
      const fetching = createSafeFetch({
        ca: site.cert,
        resolve: async () => nowhere,
        permits: () => true,
      });
      const plugin = definePlugin({
        ...auth,
        services: [
          ...auth.services.filter(({ target }) => target !== SafeFetch),
          provide(SafeFetch, { uses: {}, create: () => fetching, close: () => fetching.close() }),
        ],
      });
      host = await oauthHost({ database: await fresh(), plugin });
    });
    after(async () => {
      await host.stop();
      site.close();
    });

    it('define a client, with portless loopback redirects and without a limiting scope', async () => {
      const browser = await signedIn(host, 'ann@example.com');
      const client = new Client(host);
      client.id = at('/good.json');
      const page = await browser.get(await client.begin(browser, pkce().challenge));
      assert.match(page.text, /Allow Documented\?/);
      assert.match(page.text, new RegExp(`Published by</dt>\\s*<dd>documents.example:${site.port}`));
      const tokens = await client.tokens(browser, { scope: 'mcp:read mcp:write' });
      assert.equal(tokens.scope, 'mcp:read mcp:write');
      assert.equal((await client.refresh(tokens.refresh_token)).status, 200);
      assert.equal(site.hits(), 1, 'it is remembered');
      assert.match((await browser.get(`${host.url}/oauth/account`)).text, /Documented/);
    });

    it('are rejected when they belong to another client, or are unsafe, missing or not JSON', async () => {
      const browser = await signedIn(host, 'bob@example.com');
      const client = new Client(host);
      for (const path of ['/other.json', '/http.json', '/none.json', '/text.json']) {
        client.id = at(path);
        const answer = await browser.get(client.authorizeUrl(pkce().challenge));
        assert.equal(answer.status, 400, `${path}: ${answer.text}`);
        assert.equal(answer.headers['location'], undefined, path);
      }
      for (const [id, status] of [
        [`http://documents.example:${site.port}/good.json`, 400],
        ['https://127.0.0.1/', 503], // nothing listens there
        [`https://u@documents.example:${site.port}/good.json`, 400],
      ] as const) {
        client.id = id;
        assert.equal((await browser.get(client.authorizeUrl(pkce().challenge))).status, status, id);
      }
    });
  });
});
