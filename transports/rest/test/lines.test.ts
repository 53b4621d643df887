import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { ServiceError, closed, definePlugin, defineTool } from '@service-mcp/core';
import { rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import rest from '@service-mcp/transport-rest';

const LINES = { 'content-type': 'application/x-ndjson' };
/** More than the buffers of two sockets hold. */
const MUCH = 96 * 1024 * 1024;
const PIECE = `{"text":"${'x'.repeat(8_000)}"}\n`;

/** What the tools below met last, and what they wait for. */
const seen = { faults: [] as string[], failure: undefined as unknown, taken: 0, sent: 0 };
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}
let gate = new Gate();
let ended = new Gate();

const take = defineTool({
  name: 'lines_take',
  title: 'Take lines',
  description: 'Counts lines.',
  input: Type.Object(
    {
      hold: Type.Boolean({ default: false, description: 'Wait after the first line' }),
      refuse: Type.Boolean({ default: false, description: 'Refuse after the first line' }),
      name: Type.Optional(Type.String({ maxLength: 5, description: 'Any name' })),
    },
    closed,
  ),
  output: Type.Object({ values: Type.Integer(), faults: Type.Integer() }, closed),
  effect: 'create',
  access: { scope: 'lines:write', in: 'deployment' },
  http: { method: 'POST', path: '/v1/lines', status: 200, streams: 'in' },
  surfaces: ['rest'],
  uses: {},
  async handler({ hold, refuse }, _deps, { lines }) {
    const counts = { values: 0, faults: 0 };
    try {
      for await (const { fault } of lines) {
        counts[fault === undefined ? 'values' : 'faults'] += 1;
        seen.taken = counts.values;
        if (fault !== undefined) seen.faults.push(fault);
        if (refuse) throw new ServiceError('CONFLICT', 'Not these.');
        if (hold && counts.values === 1) await gate.opened;
      }
    } catch (thrown) {
      seen.failure = thrown;
      throw thrown;
    } finally {
      ended.open();
    }
    return counts;
  },
});

const give = defineTool({
  name: 'lines_give',
  title: 'Give lines',
  description: 'Sends lines.',
  input: Type.Object(
    {
      lines: Type.Integer({ description: 'How many' }),
      width: Type.Integer({ default: 10, description: 'Characters of each' }),
      fail: Type.Boolean({ default: false, description: 'Fail after them' }),
      hold: Type.Boolean({ default: false, description: 'Wait before the end' }),
    },
    closed,
  ),
  output: Type.Object({ record: Type.Literal('end'), lines: Type.Integer() }, closed),
  effect: 'read',
  access: { scope: 'lines:read', in: 'deployment' },
  http: { method: 'GET', path: '/v1/lines', streams: 'out' },
  surfaces: ['rest'],
  uses: {},
  async handler({ lines, width, fail, hold }, _deps, { send }) {
    try {
      for (seen.sent = 0; seen.sent < lines; seen.sent += 1)
        await send({ n: seen.sent, text: 'x'.repeat(width) });
      if (hold) await gate.opened;
      if (fail) throw new ServiceError('CONFLICT', 'Not more.');
      return { record: 'end' as const, lines };
    } catch (thrown) {
      seen.failure = thrown;
      throw thrown;
    } finally {
      ended.open();
    }
  },
});

describe('REST streams of lines', () => {
  let host: TestHost;
  before(async () => {
    const plugin = definePlugin({
      id: 'lines',
      description: 'For tests.',
      api: '^1',
      toolsets: [{ id: 'lines', description: 'For tests.', tools: [take, give] }],
    });
    const config = { server: { call_timeout_ms: 200 } };
    host = await testHost({ plugins: [plugin], transports: [rest], workers: false, config });
  });
  after(() => host.stop());
  beforeEach(() => {
    Object.assign(seen, { faults: [], failure: undefined, taken: 0, sent: 0 });
    gate = new Gate();
    ended = new Gate();
  });

  const url = (query = '') => `${host.url}/v1/lines${query}`;
  const post = (body: BodyInit, { query = '', headers = {} } = {}) =>
    fetch(url(query), { method: 'POST', headers: { ...LINES, ...headers }, body });
  /** A request whose body goes on. */
  function sending(query = ''): ClientRequest {
    const sent = request(url(query), { method: 'POST', headers: LINES, agent: false });
    sent.on('error', () => undefined);
    return sent;
  }
  const answerOf = async (sent: ClientRequest) => {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: JSON.parse((await answer.toArray()).join('')) };
  };
  /** Writes until so many bytes are on their way; tells how many are when nothing moves any more. */
  function writing(sent: ClientRequest, bytes: number) {
    const written = { bytes: 0 };
    const closed = new AbortController();
    sent.once('close', () => closed.abort());
    const done = (async () => {
      while (written.bytes < bytes && !closed.signal.aborted) {
        written.bytes += PIECE.length;
        if (!sent.write(PIECE)) await once(sent, 'drain', closed).catch(() => undefined);
      }
    })();
    return { written, done };
  }
  async function still(value: () => number): Promise<number> {
    for (let before = -1; before !== value(); await sleep(300)) before = value();
    return value();
  }

  it('gives a handler the lines of a body and answers in the envelope', async () => {
    const body = '{"a":1}\n\nnot json\r\n{"b":2}';
    for (const type of ['application/x-ndjson', 'application/x-ndjson; charset=utf-8', 'application/jsonl']) {
      const reply = await post(body, { headers: { 'content-type': type } });
      assert.equal(reply.status, 200);
      const { success, data } = await reply.json();
      assert.deepEqual([success, data], [true, { values: 2, faults: 1 }]);
    }
    assert.match(seen.faults.join(), /not valid JSON/);
    assert.deepEqual((await (await post('')).json()).data, { values: 0, faults: 0 });
  });

  it('takes arguments from the query alone, and refuses other bodies', async () => {
    const codeOf = async (reply: Response) => [reply.status, (await reply.json()).error.code];
    assert.deepEqual(await codeOf(await post('{}', { query: '?name=longer-than-5' })), [
      400,
      'INVALID_ARGUMENT',
    ]);
    assert.deepEqual(await codeOf(await post('{}', { query: '?nmae=x' })), [400, 'INVALID_ARGUMENT']);
    for (const headers of [{ 'content-type': 'application/json' }, { 'content-encoding': 'gzip' }])
      assert.deepEqual(await codeOf(await post('{}', { headers })), [415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('is not repeated by an Idempotency-Key: each body is read', async () => {
    const headers = { 'idempotency-key': 'the-same' };
    assert.equal((await (await post('{}', { headers })).json()).data.values, 1);
    const again = await post('{}\n{}', { headers });
    assert.equal((await again.json()).data.values, 2);
    assert.equal(again.headers.get('idempotency-replayed'), null);
  });

  it('slows a client down to the pace of the handler, for longer than a call may take', async () => {
    const sent = sending('?hold=true');
    const { written, done } = writing(sent, MUCH);
    const stopped = await still(() => written.bytes);
    assert.ok(stopped < MUCH, 'the service read on while its handler waited');
    assert.equal(seen.taken, 1);
    gate.open();
    await done;
    sent.end();
    const { status, body } = await answerOf(sent);
    assert.deepEqual([status, body.data], [200, { values: written.bytes / PIECE.length, faults: 0 }]);
  });

  it('answers a refusal while the client still sends', async () => {
    const sent = sending('?refuse=true');
    const answer = answerOf(sent);
    void writing(sent, MUCH);
    const { status, body } = await answer;
    assert.deepEqual([status, body.error.code], [409, 'CONFLICT']);
    sent.destroy();
  });

  it('tells a handler that the body was cut off', async () => {
    const sent = sending();
    sent.write('{"a":1}\n{"b":');
    while (seen.taken === 0) await sleep(5);
    sent.destroy();
    await ended.opened;
    assert.ok(seen.failure instanceof ServiceError);
    assert.equal(seen.failure.code, 'INVALID_REQUEST');
    assert.equal(seen.taken, 1);
  });

  it('answers with lines, the result last, and no envelope', async () => {
    const reply = await fetch(url('?lines=3'));
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
    assert.ok(reply.headers.get('x-request-id'));
    const lines = (await reply.text()).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ n, record }) => n ?? record),
      [0, 1, 2, 'end'],
    );
    const head = await fetch(url('?lines=3'), { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('allow')], [405, 'GET']);
  });

  it('sends at the pace of the reader', async () => {
    const asked = request(url('?lines=20000&width=8000'), { agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const stopped = await still(() => seen.sent);
    assert.ok(stopped < 20_000, 'the handler went on while nothing was read');
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    assert.equal(answer.complete, true);
    assert.ok(bytes > 20_000 * 8_000);
  });

  it('fails in the envelope before the first line is sent, and by a cut answer after it', async () => {
    const early = await fetch(url('?lines=3&fail=true'));
    assert.deepEqual([early.status, (await early.json()).error.code], [409, 'CONFLICT']);
    const late = await fetch(url('?lines=300&width=8000&fail=true'));
    assert.equal(late.status, 200);
    await assert.rejects(late.text());
  });

  it('ends the call of a reader that goes away', async () => {
    const asked = request(url('?lines=100000&width=8000'), { agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await once(answer, 'readable');
    asked.destroy();
    await ended.opened;
    assert.ok(seen.failure !== undefined && seen.sent < 100_000);
  });

  it('is refused where nothing carries the lines', async () => {
    await rejects(host.use('lines_take', {}, { surface: 'rest' }), 'INVALID_REQUEST');
    await rejects(host.use('lines_give', { lines: 1 }, { surface: 'rest' }), 'INVALID_REQUEST');
    await rejects(host.use('lines_give', { lines: 1 }, { surface: 'mcp' }), 'UNKNOWN_TOOL');
  });

  it('works in one process too', async () => {
    async function* lines() {
      yield { line: 1, bytes: 2, value: {} };
    }
    assert.deepEqual(await host.use('lines_take', {}, { surface: 'rest', lines: lines() }), {
      values: 1,
      faults: 0,
    });
    const sent: object[] = [];
    const send = async (line: object) => void sent.push(line);
    assert.deepEqual(await host.use('lines_give', { lines: 2 }, { surface: 'rest', send }), {
      record: 'end',
      lines: 2,
    });
    assert.equal(sent.length, 2);
  });

  it('is in the OpenAPI document by its media type', async () => {
    const { paths } = await (await fetch(`${host.url}/openapi.json`)).json();
    const { get, post: sent } = paths['/v1/lines'];
    assert.deepEqual(Object.keys(get.responses[200].content), ['application/x-ndjson']);
    assert.equal(
      get.responses[200].content['application/x-ndjson']['x-last-line'].properties.record.const,
      'end',
    );
    assert.deepEqual(Object.keys(sent.requestBody.content), ['application/x-ndjson']);
    assert.deepEqual(Object.keys(sent.responses[200].content), ['application/json']);
    assert.deepEqual(
      sent.parameters.map(({ name, in: place }: { name: string; in: string }) => [place, name]),
      [
        ['query', 'hold'],
        ['query', 'refuse'],
        ['query', 'name'],
      ],
    );
  });
});
