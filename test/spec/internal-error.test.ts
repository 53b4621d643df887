import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { loadGateway } from '@service-mcp/transport-gateway';
import { relayStdio } from '@service-mcp/transport-gateway/stdio';
import { serveMcpStdio } from '@service-mcp/transport-mcp';
import { serveGateway, type Served } from '../gateway/support/serve-gateway.js';
import { startService, type ServiceProcess } from '../service-process.js';
import broken from './broken-plugin.js';
import { INITIALIZE } from './http.js';

const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const TOOL_CALL = { name: 'broken_fail', arguments: {} };
const CALLS: readonly (readonly [method: string, params: object, name: string])[] = [
  ['tools/call', TOOL_CALL, 'broken_fail'],
  ['resources/read', { uri: 'broken://one' }, 'broken://one'],
  ['prompts/get', { name: 'broken_start' }, 'broken_start'],
];
const rpc = (method: string, params: object, id = 1) => ({ jsonrpc: '2.0', id, method, params });

interface Request {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests of every surface that fail in their handler. */
const FAILING: readonly Request[] = [
  { path: '/api/v1/broken/fail', body: {} },
  { path: '/api/v1/tools/call', body: { name: 'broken_fail' } },
  { path: '/api/v1/tools/broken_fail', body: {} },
  { path: '/api/v1/rpc', body: rpc('tools/call', TOOL_CALL) },
  ...CALLS.flatMap(([method, params, name]): Request[] => [
    { path: '/mcp', body: rpc(method, params) },
    {
      path: '/client',
      body: rpc(method, { ...params, _meta: META }),
      headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method, 'mcp-name': name },
    },
  ]),
];

/** Requests whose credential cannot be checked. */
const UNCHECKED: readonly Request[] = [
  ...FAILING,
  { path: '/mcp', body: rpc('initialize', INITIALIZE) },
  { path: '/mcp' },
  { path: '/api/v1/initialize', body: {} },
  { path: '/api/v1/tools/list' },
  { path: '/api/v1/stream' },
].map((request) => ({ ...request, headers: { ...request.headers, 'x-break': '1' } }));

describe('contract.md 1: INTERNAL names the request id, and nothing of the foreign error', () => {
  let folder: string;
  let service: ServiceProcess;
  let gateway: Served;
  let host: TestHost;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-broken-'));
    const file = join(folder, 'deployment.json');
    const plugins = [fileURLToPath(new URL('broken-plugin.js', import.meta.url))];
    const transports = ['mcp', 'jsonrpc', 'rest'].map((id) => `@service-mcp/transport-${id}`);
    await writeFile(file, JSON.stringify({ plugins, transports }));
    service = await startService(folder, {}, file);
    gateway = await serveGateway({ SERVICE_API_URL: service.url });
    host = await testHost({ plugins: [broken] });
  });
  after(async () => {
    await gateway.stop();
    await service.end();
    await host.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** The lines of the log, once one of them has the id; otherwise the test times out. */
  async function untilLogged(id: string): Promise<string[]> {
    while (!service.said().includes(`"request_id":"${id}"`)) await sleep(5);
    return service.said().split('\n');
  }

  for (const through of ['the service', 'a gateway']) {
    it(`over HTTP, through ${through}; the log has the error under that id`, async () => {
      const url = through === 'a gateway' ? gateway.url : service.url;
      for (const [index, { path, body, headers }] of [...FAILING, ...UNCHECKED].entries()) {
        const id = `trace-${through.replace(' ', '-')}-${index}`;
        const response = await fetch(`${url}${path}`, {
          method: body ? 'POST' : 'GET',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'x-request-id': id,
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const what = `${path} ${JSON.stringify(body)} ${JSON.stringify(headers)}: ${text}`;
        assert.match(text, /INTERNAL/, what);
        assert.match(text, new RegExp(`request id ${id} `), what);
        assert.doesNotMatch(text, /SELECT|vault/, what);
        assert.equal(response.headers.get('x-request-id'), id, what);
        const own = (await untilLogged(id)).filter((line) => line.includes(`"request_id":"${id}"`));
        assert.ok(own.length === 1 && own[0]?.includes('SELECT'), `${what}\n${own.join('\n')}`);
      }
    });
  }

  const STDIO = {
    'of this process': (stdin: PassThrough, stdout: PassThrough) =>
      serveMcpStdio(host.catalog, () => host.call({ surface: 'mcp', requestId: crypto.randomUUID() }), {
        version: '1',
        stdin,
        stdout,
      }).closed,
    'of a relay': async (stdin: PassThrough, stdout: PassThrough) => {
      const env = { SERVICE_API_URL: service.url, SERVICE_LOG_LEVEL: 'silent' };
      const { signal } = new AbortController();
      const options = { signal, keyRemedy: '', warn: assert.fail, stdin, stdout };
      await relayStdio(await loadGateway(undefined, env), options);
    },
  };
  for (const [what, serve] of Object.entries(STDIO)) {
    it(`over the stdio ${what}`, async () => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      const ended = serve(stdin, stdout);
      const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
      let asked = 0;
      const ask = async (method: string, params: object) => {
        stdin.write(`${JSON.stringify(rpc(method, params, ++asked))}\n`);
        return String((await lines.next()).value);
      };
      await ask('initialize', { ...INITIALIZE, protocolVersion: '2025-11-25' });
      for (const [method, params] of CALLS) {
        const text = await ask(method, params);
        assert.match(
          text,
          /request id [0-9a-f-]{36} [^]*INTERNAL|INTERNAL[^]*request id [0-9a-f-]{36} /,
          text,
        );
        assert.doesNotMatch(text, /SELECT|vault/, text);
      }
      stdin.end();
      await ended;
    });
  }
});
