import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import web from '@service-mcp/transport-web';

const BUILD = fileURLToPath(new URL('../../client/build.mjs', import.meta.url));

describe('the dashboard over HTTP', () => {
  let host: TestHost;
  before(async () => {
    execFileSync(process.execPath, [BUILD]); // takes no time where it is built
    host = await testHost({ transports: [web] });
  });
  after(() => host?.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${host.url}${path}`, { headers, redirect: 'manual' });
  const scriptOf = (html: string) => /src="\.\/(assets\/[\w.-]+\.js)"/.exec(html)?.[1] ?? '';

  it('reads its files again after a read that failed', async () => {
    const { readFile } = files;
    const replace = (by: typeof readFile) => {
      files.readFile = by;
      syncBuiltinESMExports();
    };
    replace(async () => Promise.reject(new Error('too many open files')));
    try {
      assert.equal((await get('/app/')).status, 500);
    } finally {
      replace(readFile);
    }
    assert.equal((await get('/app/')).status, 200);
  });

  it('leads to the address with a slash, relative to the path of a proxy', async () => {
    const response = await get('/app?workspace=1');
    assert.equal(response.status, 308);
    assert.equal(response.headers.get('location'), 'app/?workspace=1');
  });

  it('is where / leads browsers, and leaves programs their JSON', async () => {
    const response = await get('/', { accept: 'text/html,*/*;q=0.8' });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), 'app/');
    assert.equal(response.headers.get('vary'), 'Accept');
    assert.equal((await get('/', { accept: 'application/json' })).status, 404);
  });

  it('answers deep links with the page, and names its root as seen from there', async () => {
    for (const [path, base] of [
      ['/app/', './'],
      ['/app/search?q=x', './'],
      ['/app/a/b', '../'],
      ['/app/a/b/', '../../'],
    ] as const) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.ok((await response.text()).includes(`<base href="${base}"`), path);
    }
  });

  it('has a policy without exceptions, Trusted Types included, and nothing inline', async () => {
    const response = await get('/app/');
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    const html = await response.text();
    assert.doesNotMatch(html, /<style|style=|<script>|\son\w+=/);
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });

  it('writes facts into the page as text alone', async () => {
    const html = await (await get('/app/')).text();
    const content = /name="deployment" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const facts = JSON.parse(content) as { mcp: string; accounts: boolean };
    assert.equal(facts.mcp, `${host.url}/mcp`);
    assert.equal(facts.accounts, false);
  });

  it('sends its files compressed, and for good where the name holds a digest', async () => {
    const path = `/app/${scriptOf(await (await get('/app/')).text())}`;
    const plain = await get(path, { 'accept-encoding': 'identity' });
    const text = await plain.text();
    assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.match(plain.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(plain.headers.get('vary'), 'Accept-Encoding');
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await rawGet(`${host.url}${path}`, { 'accept-encoding': encoding });
      assert.equal(response.encoding, encoding);
      assert.equal(decode(response.bytes).toString(), text);
    }
    const etag = plain.headers.get('etag') ?? '';
    assert.equal((await rawGet(`${host.url}${path}`, { 'if-none-match': etag })).status, 304);
    assert.equal((await get('/app/theme.js')).headers.get('cache-control'), 'no-cache');
  });

  it('answers a file that is not there with 404, and never one outside its folder', async () => {
    for (const path of ['/app/assets/none.js', '/app/assets/..%2f..%2fpackage.json', '/app/assets/'])
      assert.equal((await get(path)).status, 404, path);
    for (const path of [
      '/app/..%2fpackage.json',
      '/app/.inputs',
      '/app/.vite/manifest.json',
      '/app/index.html',
    ])
      assert.match((await (await get(path)).text()).slice(0, 15), /^<!doctype html>/, path);
  });
});

describe('the files of the dashboard', () => {
  it('are at most 200 KB compressed for the first load of any page', () => {
    execFileSync(process.execPath, [BUILD]);
    const assets = join(dirname(BUILD), '../assets');
    const manifest = JSON.parse(readFileSync(join(assets, '.vite/manifest.json'), 'utf8')) as Manifest;
    const filesOf = (name: string, into = new Set<string>()): Set<string> => {
      const { file, css = [], imports = [] } = manifest[name] ?? { file: name };
      for (const each of [file, ...css]) into.add(each);
      for (const each of imports) filesOf(each, into);
      return into;
    };
    const pages = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'));
    assert.ok(pages.length >= 10, `${pages.length} pages`);
    for (const page of pages) {
      const files = [...filesOf('index.html'), ...filesOf(page)];
      const bytes = [...new Set(files)].map((file) => gzipSync(readFileSync(join(assets, file))).length);
      const total = bytes.reduce((sum, each) => sum + each, 0);
      assert.ok(total <= 200_000, `${page}: ${total} bytes`);
    }
  });
});

/** What Vite writes of each chunk. */
type Manifest = Readonly<
  Record<
    string,
    { readonly file: string; readonly css?: readonly string[]; readonly imports?: readonly string[] }
  >
>;

interface RawAnswer {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly bytes: Buffer;
}

/** `fetch` decodes what it gets and asks past caches; here the answer as sent counts. */
function rawGet(url: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    httpGet(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          encoding: response.headers['content-encoding'],
          bytes: Buffer.concat(chunks),
        }),
      );
    }).on('error', reject);
  });
}
