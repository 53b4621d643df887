import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { loadGateway } from '@service-mcp/transport-gateway';
import { relayStdio } from '@service-mcp/transport-gateway/stdio';
import { answering, type Peer } from './peer.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'a client', version: '1' },
};

const LISTS = ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`);

/** A service with one session at a time, which it can lose, and a stream of changes, which it can end. */
async function fakeService() {
  const seen: string[] = [];
  const state = { session: 0, stream: undefined as ServerResponse | undefined };
  /** Open streams of changes by their session. */
  const streams = new Map<ServerResponse, unknown>();
  const json = (res: ServerResponse, status: number, body: object, headers: object = {}) => {
    const text = JSON.stringify(body);
    res.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    });
    res.end(text);
  };
  const answer = (req: IncomingMessage, res: ServerResponse, message: Message) => {
    const { id, method = 'an answer', params } = message;
    const { headers } = req;
    const said = [method, params?.['uri'] ?? params?.['level'], headers['mcp-session-id']];
    seen.push([...said, headers['mcp-protocol-version']].filter(Boolean).join(' '));
    if (method === 'initialize') {
      state.session += 1;
      const result = { ...INITIALIZE, serverInfo: { name: 's', version: '1' }, instructions: 'Go.' };
      return json(res, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': `s${state.session}` });
    }
    if (headers['mcp-session-id'] !== `s${state.session}`)
      return json(res, 404, { jsonrpc: '2.0', id, error: { code: -32001, message: 'unknown' } });
    if (id === undefined) return void res.writeHead(202).end();
    if (method === 'tools/list')
      return json(res, 401, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32011, message: 'needs a credential' },
      });
    if (method === 'ping') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      return void res.end(`: nothing\n\n`); // a stream without the answer
    }
    return json(res, 200, { jsonrpc: '2.0', id, result: { content: [], by: headers['x-service-api-key'] } });
  };
  const peer: Peer = await answering((req, res) => {
    if (req.url?.endsWith('/health')) return json(res, 200, { server: 'service-mcp' });
    if (req.method === 'DELETE') {
      seen.push('DELETE');
      return void res.writeHead(204).end();
    }
    if (req.method === 'GET') {
      const { 'mcp-session-id': session } = req.headers;
      seen.push(`GET ${String(session)}`);
      if (session !== `s${state.session}`) return json(res, 404, { error: { message: 'unknown' } });
      state.stream = res;
      streams.set(res, session);
      res.once('close', () => streams.delete(res));
      return res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    }
    let body = '';
    req.on('data', (part: Buffer) => (body += part.toString()));
    req.on('end', () => answer(req, res, JSON.parse(body) as Message));
  });
  return { peer, state, streams, seen };
}

describe('gateway: a relay between standard input and output and the service', () => {
  let service: Awaited<ReturnType<typeof fakeService>>;
  let stdin: PassThrough;
  let lines: AsyncIterator<string>;
  let ended: Promise<void>;
  const warnings: string[] = [];

  beforeEach(async () => {
    service = await fakeService();
    warnings.length = 0;
    const env = { SERVICE_API_URL: service.peer.url, SERVICE_API_KEY: 'own', SERVICE_LOG_LEVEL: 'silent' };
    const settings = await loadGateway(undefined, env);
    stdin = new PassThrough();
    const stdout = new PassThrough();
    const { signal } = new AbortController();
    const warn = (line: string) => void warnings.push(line);
    ended = relayStdio(settings, { signal, keyRemedy: 'Get a key.', warn, stdin, stdout });
    lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  });
  afterEach(async () => {
    stdin.end();
    await ended;
    await service.peer.close();
  });

  const write = (message: object) => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const read = async () => JSON.parse(String((await lines.next()).value)) as Message;
  const ask = async (message: object) => {
    write(message);
    return read();
  };
  async function open(): Promise<void> {
    const { result } = await ask({ id: 0, method: 'initialize', params: INITIALIZE });
    assert.equal(result?.['instructions'], 'Go.');
    write({ method: 'notifications/initialized' });
    while (!service.state.stream) await new Promise(setImmediate);
  }

  it('keeps the session of the conversation, and ends it with the input', async () => {
    await open();
    const call = await ask({ id: 1, method: 'tools/call', params: { name: 'x' } });
    assert.deepEqual([call.id, call.result?.['by']], [1, 'own']);
    stdin.end();
    await ended;
    assert.deepEqual(service.seen, [
      'initialize',
      'notifications/initialized s1 2025-11-25',
      'GET s1',
      'tools/call s1 2025-11-25',
      'DELETE',
    ]);
  });

  it('opens a lost session again, unseen by its client', async () => {
    await open();
    service.state.session = 7;
    let call = await ask({ id: 'a', method: 'tools/call', params: { name: 'x' } });
    while (call.id === undefined) call = await read(); // lists may have changed meanwhile
    assert.equal(call.id, 'a');
    assert.deepEqual(call.result?.['content'], []);
    assert.ok(service.seen.includes('tools/call s8 2025-11-25'), service.seen.join());
  });

  it('follows the stream of changes again after it broke, and passes on what the service says there', async () => {
    await open();
    const { stream } = service.state;
    stream?.destroy();
    while (service.state.stream === stream) await new Promise(setImmediate);
    const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    service.state.stream?.write(`data: ${JSON.stringify(notice)}\n\n`);
    assert.deepEqual(await read(), notice);
  });

  it('says that lists may have changed after a lost session, whose successor does not know what was listed', async () => {
    await open();
    service.state.session = 7;
    write({ id: 1, method: 'tools/call', params: { name: 'x' } });
    const seen = [await read(), await read(), await read(), await read()];
    assert.deepEqual(
      seen.map(({ method, id }) => method ?? id),
      [...LISTS, 1],
    );
  });

  /** Resolves when the service has seen this many requests that begin so. */
  const until = async (start: string, times: number) => {
    while (service.seen.filter((each) => each.startsWith(start)).length < times)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('opens a lost session again when its stream ends, without waiting for a call', async () => {
    await open();
    service.state.session = 7;
    service.state.stream?.destroy();
    for (const method of LISTS) assert.equal((await read()).method, method);
    await until('GET s8', 1);
  }).timeout(10_000);

  it('follows the changes of a session that a call opened again on one stream', async () => {
    await open();
    service.state.session = 7;
    service.state.stream?.destroy();
    write({ id: 1, method: 'tools/call', params: { name: 'x' } });
    await until('GET s8', 2); // of the new session, and of the loop that followed the lost one
    while (service.streams.size > 1) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([...service.streams.values()], ['s8']);
  }).timeout(10_000);

  it('subscribes again in a session that was opened again, and sets its log level', async () => {
    await open();
    const change = (id: number, method: string, params: object) => ask({ id, method, params });
    await change(1, 'logging/setLevel', { level: 'debug' });
    await change(2, 'logging/setLevel', { level: 'error' });
    for (const [id, uri] of ['a', 'b', 'a'].entries()) await change(id + 3, 'resources/subscribe', { uri });
    await change(6, 'resources/unsubscribe', { uri: 'b' });
    service.state.session = 7;
    write({ id: 7, method: 'tools/call', params: { name: 'x' } });
    const told = [await read(), await read(), await read(), await read()];
    assert.deepEqual(
      told.map(({ method, id }) => method ?? id),
      [...LISTS, 7],
    );
    const again = service.seen.filter((each) => / s8 /.test(each) && !each.startsWith('GET'));
    assert.deepEqual(again.map((each) => each.split(' s8 ')[0]).slice(1), [
      'logging/setLevel error',
      'resources/subscribe a',
      'tools/call',
    ]);
  });

  it('reaches a service below a path', async () => {
    const { url } = service.peer;
    stdin.end();
    await ended;
    const env = { SERVICE_API_URL: `${url}/below/`, SERVICE_LOG_LEVEL: 'silent' };
    const input = new PassThrough();
    const options = { signal: new AbortController().signal, keyRemedy: '', warn: assert.fail };
    const relaying = relayStdio(await loadGateway(undefined, env), {
      ...options,
      stdin: input,
      stdout: new PassThrough(),
    });
    input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover' })}\n`);
    await relaying;
    const asked = new Set(service.peer.asked.map(({ url: path }) => path));
    assert.ok(asked.has('/below/mcp'), [...asked].join());
  });

  it('gives a refusal the id of its request, and answers a request whose stream ended without an answer', async () => {
    await open();
    const refused = await ask({ id: 5, method: 'tools/list' });
    assert.deepEqual([refused.id, refused.error?.message], [5, 'needs a credential']);
    const lost = await ask({ id: 6, method: 'ping' });
    assert.equal(lost.id, 6);
  });

  it('warns of a line that is not a message, and goes on', async () => {
    stdin.write('{"a":1}\n');
    await open();
    assert.equal(warnings.length, 1);
  });
});
