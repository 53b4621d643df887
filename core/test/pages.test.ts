import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { defineTransport } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Mounts an API page. */
const docs = defineTransport({
  id: 'pages',
  description: 'For tests.',
  api: '^1',
  mount({ http }) {
    http.router.get('/docs', (ctx) => {
      ctx.body = 'docs';
    });
  },
});

const dashboard = defineTransport({
  id: 'dashboard',
  description: 'For tests.',
  api: '^1',
  mount({ http }) {
    http.router.get('/', (ctx) => {
      ctx.body = 'dashboard';
    });
  },
});

describe('pages for people', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [demo([echo()])], transports: [docs] });
  });
  after(() => host.stop());
  const open = (path: string, headers: Record<string, string> = BROWSER, method = 'GET') =>
    fetch(`${host.url}${path}`, { headers, method });

  it('show the state at / and link to what is mounted', async () => {
    const reply = await open('/');
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(reply.headers.get('vary'), 'Accept');
    const page = await reply.text();
    assert.match(page, /Version \d+\.\d+\.\d+ is ready\./);
    assert.ok(page.includes(`<code>${host.url}/mcp</code>`), page);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    assert.match(links.shift() ?? '', /^data:image\/svg/);
    assert.deepEqual(links, ['./', './docs', './ready'], 'no accounts are kept here');
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(reply.headers.get('content-security-policy')?.includes(`style-src 'sha256-${hash}'`));
    assert.equal((await open('/', BROWSER, 'HEAD')).status, 200);
  });

  it('are shown for 404 in a browser, with relative links, and without what was asked for', async () => {
    for (const [path, root] of [
      ['/nosuch', './'],
      ['/v1/no/such/<script>', '../../../'],
    ] as const) {
      const reply = await open(path);
      assert.equal(reply.status, 404, path);
      const page = await reply.text();
      assert.ok(page.includes(`href="${root}"`) && page.includes(`href="${root}docs"`), page);
      assert.ok(!page.includes('such'), 'the address is not repeated');
    }
  });

  it('leave programs their JSON', async () => {
    for (const [path, headers, method] of [
      ['/', { accept: '*/*' }, 'GET'],
      ['/', { accept: 'application/json' }, 'GET'],
      ['/nosuch', {}, 'GET'],
      ['/nosuch', BROWSER, 'POST'],
    ] as const) {
      const reply = await open(path, headers, method);
      assert.equal(reply.status, 404);
      assert.equal(((await reply.json()) as { error: { code: string } }).error.code, 'NOT_FOUND');
    }
  });

  it('give way to a route at /', async () => {
    const other = await testHost({ plugins: [demo([echo()])], transports: [dashboard] });
    try {
      assert.equal(await (await fetch(`${other.url}/`, { headers: BROWSER })).text(), 'dashboard');
      assert.equal((await fetch(`${other.url}/x`, { headers: BROWSER })).status, 404);
    } finally {
      await other.stop();
    }
  });
});
