import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { defineTransport } from '@service-mcp/core';
import { openEventStream } from '@service-mcp/core/http';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

/** Final states of the signals of streams, in the order in which the streams ended. */
const ended: boolean[] = [];

const later = echo({ name: 'demo_later', handler: (input: { text: string }) => turn({ text: input.text }) });

const mirror = defineTransport({
  id: 'mirror',
  description: 'For tests.',
  api: '^1',
  mount({ http, catalog }) {
    http.router.post('/later', async (ctx) => {
      const call = await http.call(ctx, 'rest', { ceiling: true });
      ctx.body = await catalog.call('demo_later', await http.readJson(ctx, 1000), call);
    });
    http.router.post('/mirror', async (ctx) => {
      const call = await http.call(ctx, 'rest');
      ctx.body = {
        body: (await http.readJson(ctx, 1000)) ?? null,
        selection: call.selection,
        request_id: call.requestId,
      };
    });
    http.router.get('/stream', async (ctx) => {
      const { signal } = await http.call(ctx, 'rest', { endless: true });
      const stream = openEventStream(ctx, () => Promise.resolve());
      await stream.send({ data: '{}' });
      stream.end();
      await new Promise((resolve) => {
        ctx.res.once('close', () => setImmediate(resolve));
      });
      ended.push(signal.aborted);
    });
    http.router.get('/follow', async (ctx) => {
      await openEventStream(ctx, () => Promise.resolve()).send({ data: 'begun' });
    });
    http.router.get('/slow', async (ctx) => {
      const { signal } = await http.call(ctx, 'rest');
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    });
  },
});

describe('the HTTP server', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({
      plugins: [demo([echo(), later])],
      transports: [mirror],
      config: { server: { call_timeout_ms: 300, allowed_hosts: ['svc.example:8080'] } },
    });
  });
  after(() => host.stop());

  interface Answer {
    status: number;
    headers: Headers;
    body: { error?: { code: string; message: string } | null; [key: string]: unknown };
  }
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${host.url}${path}`, init);
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    };
  };

  it('a stream that the server ends aborts its call, so that nothing waits for events any longer', async () => {
    assert.equal(await (await fetch(`${host.url}/stream`)).text(), 'data: {}\n\n');
    while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ended, [true]);
  });

  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    ask('/mirror', { method: 'POST', body, headers });
  /** fetch cannot set Host. */
  const withHeaders = (headers: Record<string, string>, path = '/health') =>
    new Promise<number>((resolve, reject) => {
      request(`${host.url}${path}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(host.address?.port as number, '127.0.0.1', () => socket.end(text));
      let answer = '';
      socket
        .on('data', (chunk) => (answer += String(chunk)))
        .on('close', () => resolve(answer))
        .on('error', reject);
    });
  /** Sends a request and its body in parts, and then the end; rejects where the server closes before. */
  const dripping = (head: string, bytes: number) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(host.address?.port as number, '127.0.0.1');
      socket.write(head); // first of all, however long it takes to connect
      let answer = '';
      let left = bytes;
      const send = setInterval(() => {
        left -= 1000;
        if (left > 0) return socket.write('x'.repeat(1000));
        clearInterval(send);
        return socket.end('x'.repeat(1000));
      }, 5);
      socket
        .on('data', (chunk) => (answer += String(chunk)))
        .on('error', reject)
        .on('close', () => {
          clearInterval(send);
          if (left > 0) reject(new Error(`closed before the last ${left} bytes`));
          else resolve(answer);
        });
    });

  it('is healthy and ready', async () => {
    for (const path of ['/health', '/api/v1/health']) {
      const { status, body } = await ask(path);
      assert.equal(status, 200);
      assert.deepEqual(
        [body['status'], body['server'], body['version']],
        ['ok', 'service-mcp', host.deployment.version],
      );
    }
    assert.equal((await ask('/ready')).status, 200);
  });

  it('echoes a valid request id and replaces others', async () => {
    const own = await ask('/mirror', { method: 'POST', headers: { 'x-request-id': 'abc-1.2_3' } });
    assert.equal(own.headers.get('x-request-id'), 'abc-1.2_3');
    assert.equal(own.body['request_id'], 'abc-1.2_3');
    const bad = await ask('/health', { headers: { 'x-request-id': 'a b;c' } });
    assert.notEqual(bad.headers.get('x-request-id'), 'a b;c');
  });

  it('reads JSON, and refuses a body that is malformed, too large, of another type or encoded', async () => {
    assert.deepEqual((await post('{"a":1}')).body['body'], { a: 1 });
    assert.deepEqual((await post('\ufeff{"a":1}')).body['body'], { a: 1 }, 'with a byte order mark');
    assert.equal((await ask('/mirror', { method: 'POST' })).body['body'], null);
    const expected: Array<[Promise<Answer>, number, string]> = [
      [post('{'), 400, 'PARSE_ERROR'],
      [post('"' + 'x'.repeat(1001) + '"'), 413, 'PAYLOAD_TOO_LARGE'],
      [post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [
        post('{}', { 'content-type': 'application/json', 'content-encoding': 'br' }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    ];
    for (const [answer, status, code] of expected) {
      const { status: got, body } = await answer;
      assert.deepEqual([got, body.error?.code, body['success'], body['data']], [status, code, false, null]);
    }
  });

  for (const [title, wish] of [
    ['keeps its connection', ''],
    ['asks to close it', 'Connection: close\r\n'],
  ] as const) {
    it(`takes the rest of a body that is too large, so that a client that ${title} reads the answer`, async () => {
      const heard = await dripping(
        `POST /mirror HTTP/1.1\r\nHost: localhost\r\n${wish}Content-Type: application/json\r\nContent-Length: 20000\r\n\r\n`,
        20_000,
      );
      assert.match(heard, /^HTTP\/1\.1 413.*"code":"PAYLOAD_TOO_LARGE"/s);
    });
  }

  it('answers unknown paths and methods in the envelope', async () => {
    assert.equal((await ask('/nothing')).body.error?.code, 'NOT_FOUND');
    const wrong = await ask('/mirror', { method: 'DELETE' });
    assert.deepEqual(
      [wrong.status, wrong.body.error?.code, wrong.headers.get('allow')],
      [405, 'METHOD_NOT_ALLOWED', 'POST'],
    );
  });

  it('refuses foreign hosts and origins', async () => {
    assert.equal(await withHeaders({ host: 'evil.example' }), 421);
    assert.match(
      await raw('GET /health HTTP/1.1\r\nHost: Other.example:81\r\nConnection: close\r\n\r\n'),
      /Host Other\.example:81\..*SERVICE_BASE_URL.*SERVICE_ALLOWED_HOSTS=Other\.example:81\b/,
    );
    assert.equal(await withHeaders({ host: 'svc.example:8080' }), 200);
    assert.equal(await withHeaders({ host: 'localhost:1' }), 200);
    assert.equal(await withHeaders({ origin: 'https://evil.example' }), 403);
    assert.equal(await withHeaders({ origin: 'null' }), 403);
    assert.equal(await withHeaders({ origin: host.url as string }), 200);
  });

  it('answers unreadable requests in the envelope', async () => {
    const long = await raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    assert.match(long, /^HTTP\/1\.1 413.*"code":"PAYLOAD_TOO_LARGE"/s);
    assert.match(await raw('GET /ü HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'), /^HTTP\/1\.1 400.*%C3%BC/s);
    for (const text of ['GET\r\n\r\n', '\0\0\0\r\n\r\n', 'GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n'])
      assert.match(await raw(text), /^HTTP\/1\.1 400.*"code":"INVALID_REQUEST"/s, text);
  });
  it('cuts an answer off that has begun, where what follows on its connection is unreadable', async () => {
    const socket = connect(host.address?.port as number, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => {
      if (heard === '') socket.write('nonsense\r\n\r\n');
      heard += String(chunk);
    });
    socket.write('GET /follow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'close');
    assert.match(heard, /^HTTP\/1\.1 200/);
    assert.doesNotMatch(heard, /INVALID_REQUEST/);
  });
  it('refuses a header of which others may read another value', async () => {
    const doubled = (name: string, ...values: string[]) => {
      const lines = ['GET /health HTTP/1.1', ...(name === 'Host' ? [] : ['Host: 127.0.0.1'])];
      return raw(
        [...lines, ...values.map((value) => `${name}: ${value}`), 'Connection: close', '', ''].join('\r\n'),
      );
    };
    assert.match(await doubled('Host', '127.0.0.1'), /^HTTP\/1\.1 200/);
    for (const name of ['Host', 'hOST'])
      assert.match(await doubled(name, '127.0.0.1', 'evil'), /^HTTP\/1\.1 400/);
    assert.match(
      await doubled('Authorization', 'Bearer a', 'Bearer b'),
      /^HTTP\/1\.1 400.*must be sent once/s,
    );
  });
  it('survives malformed requests', async () => {
    for (const line of [
      'GET // HTTP/1.1\r\nHost: localhost',
      'GET / HTTP/1.1\r\nHost: [',
      'GET http://evil.example/health HTTP/1.1\r\nHost: evil.example',
      'GET http://[ HTTP/1.1\r\nHost: localhost',
      'OPTIONS * HTTP/1.1\r\nHost: localhost',
    ])
      assert.match(await raw(`${line}\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 400/, line);
    assert.match(
      await raw('GET /%ff%fe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1\.1 4/,
    );
    assert.match(await raw('nonsense\r\n\r\n'), /^HTTP\/1\.1 400/);
    assert.equal((await ask('/health')).status, 200);
  });

  it('reads the selection of a request, and refuses an unknown word', async () => {
    const selection = async (path: string, headers: Record<string, string> = {}) =>
      (await ask(path, { method: 'POST', headers })).body['selection'] ?? null;
    assert.deepEqual(await selection('/mirror'), { toolsets: ['standard'], readOnly: false });
    assert.deepEqual(await selection('/mirror?toolset=light,demo&readonly=true'), {
      toolsets: ['light', 'demo'],
      readOnly: true,
    });
    const both = { 'x-service-toolset': 'light', 'x-service-readonly': 'true' };
    assert.deepEqual(await selection('/mirror?readonly=false', both), {
      toolsets: ['light'],
      readOnly: true,
    });
    assert.equal(await selection('/mirror', { 'x-service-readonly': 'perhaps' }), null);
    assert.deepEqual(await selection('/mirror', { 'x-service-toolset': 'complete' }), {
      toolsets: ['complete'],
      readOnly: false,
    });
    assert.equal(
      (await ask('/mirror?toolset=lihgt', { method: 'POST' })).body.error?.code,
      'INVALID_ARGUMENT',
    );
  });

  it('does not count the time in which a body arrives', async () => {
    const upload = request(`${host.url}/later`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    upload.write('{"text":');
    assert.equal((await ask('/slow')).status, 504); // a whole call's time passes
    upload.end('"hi"}');
    const [{ statusCode }] = (await once(upload, 'response')) as [IncomingMessage];
    assert.equal(statusCode, 200);
  });

  it('ends a call at its deadline, and at the stop', async () => {
    const { status, body } = await ask('/slow');
    assert.deepEqual([status, body.error?.code], [504, 'DEADLINE_EXCEEDED']);
    const other = await testHost({ transports: [mirror] });
    const pending = fetch(`${other.url}/slow`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await other.stop();
    assert.equal((await pending).status, 503);
  });
});
