import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBoth, type Both } from '../gateway-process.js';
import type { ServiceProcess } from '../service-process.js';

const MODERN = '2026-07-28';
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The level of errors in the log. */
const ERROR = 50;
const RECORD = 'x'.repeat(20_000);

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
  /** Part of the body that is sent before the client leaves; default all of it. */
  readonly part?: number;
}

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

function bytesOf({ method = 'POST', path, headers = {}, body = '', part = 1 }: Sent): string {
  const length = method === 'POST' ? [`content-length: ${Buffer.byteLength(body)}`] : [];
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...length, ...fields].join('\r\n');
  return `${head}\r\n\r\n${body.slice(0, Math.floor(body.length * part))}`;
}

describe('clients that leave', function () {
  let both: Both;
  let project: { workspace_id: string; project_id: string };
  let session: string;
  before(async () => {
    both = await startBoth();
    const call: ServiceProcess['call'] = (tool, args) => both.service.call(tool, args);
    const { id: workspace_id } = await call<{ id: string }>('workspaces_create', { name: 'w' });
    const { id: project_id } = await call<{ id: string }>('projects_create', { workspace_id, name: 'p' });
    project = { workspace_id, project_id };
    const files = Array.from({ length: 40 }, (_, n) => ({
      path: `src/${n}.ts`,
      content: `export function lamp${n}() { return ${n}; }\n`.repeat(50),
    }));
    await call('files_ingest', { project_id, files });
    for (let n = 0; n < 40; n += 1)
      await call('memory_create_event', {
        workspace_id,
        event_type: 'note',
        title: `Lamp ${n}`,
        content: `${n} ${RECORD}`,
      });
    const opened = await fetch(`${both.service.url}/mcp`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: rpc('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    });
    await opened.text();
    session = opened.headers.get('mcp-session-id') ?? '';
  });
  after(() => both.end());

  function scenes(): Readonly<Record<string, Sent>> {
    const { workspace_id, project_id } = project;
    const search = { query: 'lamp', workspace_id, limit: 100 };
    const call = { name: 'search_hybrid', arguments: search };
    const headers = JSON_TYPE;
    const inSession = { ...headers, 'mcp-session-id': session };
    const modern = (method: string) => ({
      ...headers,
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(method === 'tools/call' && { 'mcp-name': call.name }),
    });
    const upload = JSON.stringify({
      project_id,
      files: [{ path: 'big.ts', content: 'let a = 1;\n'.repeat(60_000) }],
    });
    const line = JSON.stringify({
      record: 'event',
      id: 'x',
      event_type: 'note',
      title: 't',
      content: RECORD,
    });
    return {
      'a call over REST': { path: '/api/v1/search/hybrid', headers, body: JSON.stringify(search) },
      'a call by its path': { path: '/api/v1/tools/search_pattern', headers, body: JSON.stringify(search) },
      'a call over JSON-RPC': { path: '/api/v1/rpc', headers, body: rpc('tools/call', call) },
      'a call in a session': { path: '/mcp', headers: inSession, body: rpc('tools/call', call) },
      'a stateless call': {
        path: '/mcp',
        headers: modern('tools/call'),
        body: rpc('tools/call', { ...call, _meta: META }),
      },
      'a write': {
        path: '/api/v1/memory/events',
        headers,
        body: JSON.stringify({ workspace_id, event_type: 'note', title: 'Gone', content: 'Gone.' }),
      },
      'a stream of a session': { method: 'GET', path: '/mcp', headers: inSession },
      'a subscription': {
        path: '/mcp',
        headers: modern('subscriptions/listen'),
        body: rpc('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: META }),
      },
      'change events': { method: 'GET', path: '/api/v1/stream' },
      'half an upload': { path: '/api/v1/tools/files_ingest', headers, body: upload, part: 0.5 },
      'an upload': { path: `/api/v1/projects/${project_id}/files/ingest`, headers, body: upload },
      'half an import': {
        path: `/api/v1/memory/import?workspace_id=${workspace_id}`,
        headers: { 'content-type': 'application/x-ndjson' },
        body: `${line}\n`.repeat(40),
        part: 0.5,
      },
      'an export': { method: 'GET', path: `/api/v1/memory/export?workspace_id=${workspace_id}` },
      'half a message': { path: '/mcp', headers, body: rpc('tools/call', call), part: 0.5 },
    };
  }

  /** Sends a request and leaves after a while, politely or by a reset. */
  async function leave(url: string, bytes: string, afterMs: number, resets: boolean): Promise<void> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write(bytes);
    await sleep(afterMs);
    if (resets) socket.resetAndDestroy();
    else socket.destroy();
    if (!socket.closed) await once(socket, 'close');
  }

  it('are not errors in the log, of the service or of a gateway', async () => {
    const { service, gateway } = both;
    for (const [what, sent] of Object.entries(scenes())) {
      const bytes = bytesOf(sent);
      for (const url of [service.url, gateway.url]) {
        const leaving = Array.from({ length: 8 }, (_, n) => leave(url, bytes, n * n * 2, n % 2 === 0));
        await Promise.all([...leaving, leave(url, bytes.slice(0, 40), 1, true)]);
        const health = await fetch(`${url}/health`);
        assert.equal(health.status, 200, what);
        await health.text();
      }
      for (const log of [service.said(), gateway.said()]) assert.deepEqual(errorsIn(log), [], what);
    }
    await gateway.end();
    await service.end();
    for (const log of [service.said(), gateway.said()]) assert.deepEqual(errorsIn(log), []);
  });
});

function errorsIn(log: string): string[] {
  return log
    .slice(0, log.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR);
}
