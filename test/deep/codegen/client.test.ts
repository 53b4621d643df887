import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startForeign } from '../../codegen/support/foreign-server.js';
import { runCodegen } from '../../codegen/support/generated.js';
import { makeClient, watched, type Made, type Options } from '../../codegen/support/made-client.js';

describe('codegen: the generated client', () => {
  let all: Made;
  before(async () => {
    all = await makeClient();
  });
  after(() => all.close());
  const client = (options: Partial<Options> = {}) => all.client(options);
  const failure = (work: Promise<unknown>) => all.failure(work);

  it('is the same bytes for the same toolset, on standard output or in a file', async () => {
    const env = { SERVICE_API_KEY: all.service.key, SERVICE_API_URL: all.service.url };
    const out = join(all.bench.path, 'again.ts');
    const told = await runCodegen(['--out', out, '--json'], env);
    assert.equal(await readFile(out, 'utf8'), all.source);
    const { hash, tools } = JSON.parse(told.stdout) as { hash: string; tools: string[] };
    assert.equal(hash, all.made.TOOLSET.hash);
    assert.deepEqual(
      tools,
      all.made.TOOLSET.tools.map(([name]) => name),
    );
    const light = await runCodegen(['--toolset', 'light'], env);
    assert.match(light.stdout, /searchHybrid\(/);
    assert.doesNotMatch(light.stdout, /workspacesCreate\(/);
    assert.ok(
      !all.source.includes(all.service.key) && !all.source.includes(all.service.url),
      'neither key nor address is in it',
    );
  });

  it('hashes canonical JSON of names and schemas', async () => {
    let listed: { name: string; inputSchema: object; outputSchema: object }[] = [];
    const { fetch: watching } = watched((body) => {
      listed = body.result.tools as typeof listed;
      return body;
    });
    await client({ fetch: watching }).connect();
    const canonical = (value: unknown): string => {
      if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
      if (typeof value !== 'object' || value === null) return JSON.stringify(value);
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
    };
    const contracts = listed.map(({ name, inputSchema, outputSchema }) => ({
      name,
      inputSchema,
      outputSchema,
    }));
    assert.equal(all.made.TOOLSET.hash, createHash('sha256').update(canonical(contracts)).digest('hex'));
  });

  it('calls tools, one POST a call, after one look at the toolset', async () => {
    const { methods, fetch: watching } = watched();
    const one = client({ fetch: watching });
    const [help, list] = await Promise.all([one.help({ action: 'version' }), one.workspacesList()]);
    assert.match(help.version, /^\d+\./);
    assert.equal(list.total, 0);
    const { id } = await one.workspacesCreate({ name: 'Team 😀' });
    assert.equal((await one.workspacesGet({ workspace_id: id })).name, 'Team 😀');
    assert.deepEqual(methods, ['tools/list', ...Array.from({ length: 4 }, () => 'tools/call')]);
    let asked = 0;
    const key = () => Promise.resolve((asked += 1) > 0 ? all.service.key : '');
    await client({ key, url: `${all.service.url}/mcp/` }).help();
    assert.equal(asked, 2, 'a function gives the key of each request');
  });

  it('refuses wrong arguments before anything is sent', async () => {
    const { methods, fetch: watching } = watched();
    const one = client({ fetch: watching });
    const wrong = await failure(one.searchKeyword({ query: 'x', limit: 101 }));
    assert.equal(wrong.code, 'INVALID_ARGUMENT');
    assert.equal(wrong.details?.issues?.[0]?.path, '/limit');
    assert.match(wrong.message, /^limit: /);
    const unknown = await failure(one.searchKeyword({ query: 'x', '~/': 1 }));
    assert.match(unknown.message, /~\//);
    assert.equal((await failure(one.workspacesCreate(undefined as never))).code, 'INVALID_ARGUMENT');
    assert.deepEqual(methods, []);
  });

  it("gives the service's own codes", async () => {
    const absent = await failure(
      client().workspacesGet({ workspace_id: '00000000-0000-7000-8000-0000000000aa' }),
    );
    assert.equal(absent.code, 'NOT_FOUND');
    const blank = await failure(client().workspacesCreate({ name: 'a\u0000b' }));
    assert.deepEqual([blank.code, blank.details?.issues?.[0]?.path], ['INVALID_ARGUMENT', '/name']);
    const refused = await failure(client({ key: 'nonsense' }).help());
    assert.deepEqual([refused.code, refused.status], ['UNAUTHENTICATED', 401]);
    const none = await failure(client({ key: undefined as never }).help());
    assert.equal(none.code, 'UNAUTHENTICATED');
  });

  it('recognises proxies, other servers and absent ones', async () => {
    const cases: [number, string, string][] = [
      [401, '', 'UNAUTHENTICATED'],
      [404, '<html>', 'NOT_FOUND'],
      [429, '', 'RATE_LIMITED'],
      [502, '', 'UNAVAILABLE'],
      [200, 'hello', 'UNEXPECTED_REPLY'],
      [200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}', 'UNKNOWN_METHOD'],
      [200, '{"jsonrpc":"2.0","id":1,"result":null}', 'UNEXPECTED_REPLY'],
      [307, '', 'UNEXPECTED_REPLY'],
    ];
    for (const [status, body, code] of cases) {
      const foreign = await startForeign((_asked, response) => {
        response.writeHead(status, { 'retry-after': '3', location: all.service.url }).end(body);
        return undefined;
      });
      const failed = await failure(client({ url: foreign.url }).help());
      assert.deepEqual(
        [failed.code, failed.status, failed.retryAfterMs],
        [code, status, 3000],
        `${status} ${body}`,
      );
      assert.equal(foreign.asked.length, 1);
      await foreign.stop();
    }
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const late = await failure(client({ url, timeoutMs: 200 }).help());
    assert.match(late.message, /did not answer within 200 ms/);
    const controller = new AbortController();
    const stopped = client({ url, onMismatch: 'ignore' }).help({}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(stopped, /enough/);
    silent.close();
    assert.equal((await failure(client({ url }).help())).code, 'UNREACHABLE');
  });

  it('takes an answer as a stream, and refuses one that does not fit its schema', async () => {
    const result = { structuredContent: { version: 7 } };
    const foreign = await startForeign((_asked, response) => {
      const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        [note, { jsonrpc: '2.0', id: 1, result }]
          .map((each) => `event: message\ndata: ${JSON.stringify(each)}\n\n`)
          .join(''),
      );
      return undefined;
    });
    const failed = await failure(client({ url: foreign.url, onMismatch: 'ignore' }).help());
    assert.equal(failed.code, 'UNEXPECTED_REPLY');
    assert.ok(failed.details?.issues?.some(({ path }) => path === '/version'));
    foreign.answer = () => ({ isError: true, content: [{ type: 'text', text: 'of its own' }] });
    assert.equal(
      (await failure(client({ url: foreign.url, onMismatch: 'ignore' }).help())).message,
      'of its own',
    );
    foreign.answer = () => ({ resultType: 'input_required' });
    assert.match(
      (await failure(client({ url: foreign.url, onMismatch: 'ignore' }).help())).message,
      /asks a question/,
    );
    await foreign.stop();
  });

  it('fails without a key, a service or a folder for the file', async () => {
    const env = { SERVICE_API_KEY: all.service.key };
    const refusals: [string[], Record<string, string>, number, RegExp][] = [
      [['--url', all.service.url], {}, 1, /UNAUTHENTICATED[^]*keys create/],
      [['--url', all.service.url, '--toolset', 'nosuch'], env, 1, /nosuch/],
      [['--url', all.service.url, '--out', '/does/not/exist/client.ts'], env, 1, /cannot be written/],
      [['--url', all.service.url, '--json'], env, 1, /Add --out/],
      [['--url', 'http://127.0.0.1:9'], env, 2, /cannot be reached/],
      [['--url', 'nonsense'], env, 1, /not the address/],
      [['--url', all.service.url, '--tolset', 'x'], env, 1, /Did you mean --toolset/],
    ];
    for (const [args, own, code, hint] of refusals) {
      const refused = await runCodegen(args, own);
      assert.equal(refused.code, code, `${args.join(' ')}: ${refused.stderr}`);
      assert.match(refused.stderr, hint);
      assert.equal(refused.stdout, '');
    }
  });
});
