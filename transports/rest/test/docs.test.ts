import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { startService, type Service } from './support/service.js';

describe('API page', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.host.stop());

  it('allows scripts and styles of its own origin alone', async () => {
    const { status, headers, body } = await service.ask('GET', '/docs');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'/);
    assert.ok(!policy.includes('unsafe-'));
    assert.ok(!/<script>|<style|\son\w+=|https?:/.test(body));
    assert.ok(!body.includes('zoo'), 'the page names no tool');
  });

  it('serves the files that the page names, cacheable for a year, with their types', async () => {
    const { body } = await service.ask('GET', '/docs');
    const names = [...body.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, name]) => name as string);
    assert.equal(names.length, 5);
    for (const name of names) {
      const { status, headers } = await service.ask('GET', `/${name}`);
      assert.equal(status, 200, name);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      const type = name.includes('.css')
        ? /^text\/css/
        : name.includes('.png')
          ? /^image\/png$/
          : /^text\/javascript/;
      assert.match(headers.get('content-type') ?? '', type);
    }
    const unpinned = await service.ask('GET', '/docs/page.js');
    assert.equal(unpinned.headers.get('cache-control'), 'no-cache');
  });

  it('answers HEAD, and 304 to a client that has the file', async () => {
    for (const path of ['/docs', '/docs/swagger-ui.css']) {
      const { status, headers, body } = await service.ask('HEAD', path);
      assert.equal(status, 200);
      assert.ok(Number(headers.get('content-length')) > 100);
      assert.equal(body, '');
    }
    const { headers } = await service.ask('GET', '/docs/swagger-ui.css');
    const again = await service.ask('GET', '/docs/swagger-ui.css', undefined, {
      'if-none-match': headers.get('etag') as string,
      'cache-control': 'max-age=0', // else fetch adds no-cache, which asks for the whole
    });
    assert.equal(again.status, 304);
  });

  it('is sent compressed to clients that take it, with the OpenAPI document', async () => {
    for (const path of ['/docs/swagger-ui-bundle.js', '/docs/page.js', '/openapi.json']) {
      const plain = await get(path, 'identity');
      assert.equal(plain.headers['content-encoding'], undefined, path);
      for (const accepted of ['gzip', 'gzip, deflate, br']) {
        const { headers, bytes } = await get(path, accepted);
        assert.equal(headers['content-encoding'], 'gzip', path);
        assert.match(headers.vary ?? '', /accept-encoding/i);
        assert.equal(Number(headers['content-length']), bytes.length);
        assert.ok(bytes.length < plain.bytes.length, path);
        assert.ok(gunzipSync(bytes).equals(plain.bytes), path);
      }
    }
    assert.equal((await get('/docs/favicon-32x32.png', 'gzip')).headers['content-encoding'], undefined);
  });

  function get(path: string, accepted: string) {
    return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      request(service.url + path, { headers: { 'accept-encoding': accepted } }, (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('end', () => resolve({ headers: reply.headers, bytes: Buffer.concat(parts) }));
      })
        .on('error', reject)
        .end();
    });
  }

  it('redirects the slash at the end, so that relative addresses hold', async () => {
    const { status, headers } = await service.ask('GET', '/docs/');
    assert.deepEqual([status, headers.get('location')], [308, '../docs']);
  });

  for (const path of [
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/..%5cpackage.json',
    '/docs/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/docs/swagger-ui.css%00.js',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/%zz',
  ]) {
    it(`has nothing at ${path}`, async () => {
      assert.equal(await rawStatus(path), 404);
    });
  }

  /** fetch would normalise the path first. */
  function rawStatus(path: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      request({ hostname, port, path }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
        .on('error', reject)
        .end();
    });
  }
});
