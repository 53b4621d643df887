import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { peopleNamed } from '@service-mcp/core/testing';
import { recorder, members, openStream } from './event-fixtures.js';
import { send, start, type Running } from './fixture.js';

const [W1, W2, W3] = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

describe('GET /api/v1/stream', () => {
  const ann = { authorization: 'Bearer ann' };
  const bob = { authorization: 'Bearer bob' };
  let running: Running;
  let url: string;

  before(async () => {
    running = await start({ plugins: [recorder, peopleNamed('ann', 'bob')] });
    url = `${running.url}/stream`;
  });
  beforeEach(() => {
    members.clear();
    members.set('ann', new Set([W1, W2]));
    members.set('bob', new Set([W2]));
  });
  after(() => running.host.stop());

  const happen = async (args: object) => {
    const { status, raw } = await send(`${running.url}/tools/recorder_record`, args, ann);
    assert.equal(status, 200, raw);
  };

  it('sends each event with id, type and JSON, after telling where it begins', async () => {
    const stream = await openStream(url, ann);
    assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(stream.response.headers.get('cache-control'), 'no-store');
    await stream.until(() => stream.got.length === 1);
    assert.equal(stream.got[0]?.event, 'stream.opened');
    assert.ok(stream.got[0]?.id);
    await happen({ workspace: W1, text: 'two\nlines and a ü' });
    await stream.until(() => stream.got.length === 2);
    const [, { id, event, data } = {}] = stream.got;
    assert.ok(id);
    assert.equal(event, 'thing.made');
    const { occurred_at, ...rest } = data ?? {};
    assert.match(String(occurred_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      type: 'thing.made',
      workspace_id: W1,
      data: { text: 'two\nlines and a ü' },
    });
    await stream.leave();
  });

  it('is confined to the workspaces of the caller, and narrowed by workspace_id and types', async () => {
    const streams = {
      ann: await openStream(url, ann),
      bob: await openStream(url, bob),
      workspace: await openStream(`${url}?workspace_id=${W1}`, ann),
      types: await openStream(`${url}?types=thing.lost&types=member.removed,thing.lost`, ann),
    };
    for (const stream of Object.values(streams)) await stream.until(() => stream.got.length === 1);
    await happen({ workspace: W1, text: 'a' });
    await happen({ workspace: W2, text: 'b', type: 'thing.lost' });
    await happen({ workspace: 'w9', text: 'c' });
    await happen({ workspace: W2, text: 'd' });
    await happen({ workspace: W1, text: 'e', type: 'thing.lost' });
    const texts = ({ got }: { got: readonly { data?: object }[] }) =>
      got.slice(1).map(({ data }) => (data as { data: { text: string } }).data.text);
    await streams.ann.until(() => streams.ann.got.length === 5);
    await streams.bob.until(() => streams.bob.got.length === 3);
    await streams.workspace.until(() => streams.workspace.got.length === 3);
    await streams.types.until(() => streams.types.got.length === 3);
    assert.deepEqual(texts(streams.ann), ['a', 'b', 'd', 'e']);
    assert.deepEqual(texts(streams.bob), ['b', 'd']);
    assert.deepEqual(texts(streams.workspace), ['a', 'e']);
    assert.deepEqual(texts(streams.types), ['b', 'e']);
    for (const stream of Object.values(streams)) await stream.leave();
  });

  it('goes on after Last-Event-ID, and reports a reset when that event has expired', async () => {
    const first = await openStream(url, ann);
    await first.until(() => first.got.length === 1);
    await happen({ workspace: W1, text: 'seen' });
    await first.until(() => first.got.length === 2);
    await first.leave();
    await happen({ workspace: W1, text: 'missed', count: 3 });
    const again = await openStream(url, { ...ann, 'last-event-id': first.got[1]?.id ?? '' });
    await again.until(() => again.got.length === 4);
    assert.deepEqual(
      again.got.map(({ event }) => event),
      ['stream.opened', 'thing.made', 'thing.made', 'thing.made'],
    );
    await again.leave();
    const lost = await openStream(url, { ...ann, 'last-event-id': '7.7' });
    await lost.until(() => lost.got.length === 1);
    assert.equal(lost.got[0]?.event, 'reset');
    await lost.leave();
  });

  it('hides a workspace from a removed member', async () => {
    const stream = await openStream(url, bob);
    await stream.until(() => stream.got.length === 1);
    members.set('bob', new Set());
    await happen({ workspace: W2, type: 'member.removed' });
    await happen({ workspace: W2, text: 'secret' });
    members.set('bob', new Set([W3]));
    await happen({ workspace: W3, type: 'member.removed' });
    await stream.until(() => stream.got.length === 3);
    assert.deepEqual(
      stream.got.slice(1).map(({ event, data }) => [event, data?.['workspace_id']]),
      [
        ['member.removed', W2],
        ['member.removed', W3],
      ],
    );
    await stream.leave();
  });

  const refusals: ReadonlyArray<
    [what: string, query: string, headers: object, status: number, says: RegExp]
  > = [
    ['no credential', '', {}, 401, /credential/],
    ['an unknown type', '?types=thing.maed', ann, 400, /thing\.made/],
    ['an unknown parameter', '?since=1', ann, 400, /since/],
    ['two workspaces', `?workspace_id=${W1},${W2}`, ann, 400, /one id/],
    [
      'the name of a workspace',
      '?workspace_id=Team',
      ann,
      400,
      /must be an id, not a name: call workspaces_list/,
    ],
    ['an empty workspace', '?workspace_id=', ann, 400, /must be an id/],
    ['a workspace that is invisible', `?workspace_id=${W1}`, bob, 404, /no workspace/],
    ['hostile text', `?types=${encodeURIComponent("' OR 1=1 --\u0000")}`, ann, 400, /not an event type/],
    ['very many types', `?types=${'a,'.repeat(500)}`, ann, 400, /at most 100/],
  ];
  for (const [what, query, headers, status, says] of refusals) {
    it(`refuses ${what} before the stream begins`, async () => {
      const response = await fetch(`${url}${query}`, { headers: headers as Record<string, string> });
      assert.equal(response.status, status);
      const { error } = (await response.json()) as { error: { message: string } };
      assert.match(error.message, says);
    });
  }

  it('has at most a thousand readers of one credential, and others all the same', async () => {
    const open = (who: Record<string, string>) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { headers: who, agent: false }, resolve).on('error', reject);
      });
    const leave = (responses: readonly IncomingMessage[]) =>
      Promise.all(
        responses.map((response) => {
          const closed = new Promise((resolve) => response.on('error', () => undefined).on('close', resolve));
          response.destroy();
          return closed;
        }),
      );
    const streams: IncomingMessage[] = [];
    for (let n = 0; n < 20; n += 1)
      streams.push(...(await Promise.all(Array.from({ length: 50 }, () => open(ann)))));
    assert.ok(streams.every(({ statusCode }) => statusCode === 200));
    const [one, other] = [await open(ann), await open(bob)];
    assert.deepEqual([one.statusCode, other.statusCode], [503, 200]);
    await leave([...streams, one, other]);
    for (;;) {
      const again = await open(ann);
      await leave([again]);
      if (again.statusCode === 200) break;
    }
  });

  const readersOf = async ({ host }: Running) => {
    const text = await (await fetch(`${host.url}/metrics`)).text();
    return Number(/^service_mcp_stream_readers (\d+)$/m.exec(text)?.[1]);
  };
  /** Sends GET or HEAD requests over one connection, all at once. */
  const sendAll = (requests: readonly (readonly [method: string, path: string])[]) => {
    const { hostname, port } = new URL(running.url);
    const socket = connect(Number(port), hostname);
    for (const [method, path] of requests)
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ann\r\n\r\n`,
      );
    let answers = '';
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answers += chunk.toString()));
    const until = async (condition: (answers: string) => boolean | Promise<boolean>) => {
      for (let tries = 0; !(await condition(answers)); tries += 1) {
        assert.ok(tries < 500, answers);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    return { socket, until };
  };
  const STREAM = ['GET', '/api/v1/stream'] as const;

  it('answers HEAD with the head alone, and leaves the connection to the next request', async () => {
    const { socket, until } = sendAll([
      ['HEAD', '/api/v1/stream'],
      ['GET', '/health'],
    ]);
    await until((answers) => answers.includes('"status":"ok"'));
    socket.destroy();
    assert.equal(await readersOf(running), 0);
  });

  it('opens one stream at a time on a connection, and drops what waits when it closes', async () => {
    const { socket, until } = sendAll([STREAM, STREAM, STREAM]);
    await until((answers) => answers.includes('stream.opened'));
    socket.destroy();
    await until(async () => (await readersOf(running)) === 0);
  });

  it('ends a connection that asks for more and more before it was answered', async () => {
    const { socket, until } = sendAll([STREAM, ...Array.from({ length: 101 }, () => STREAM)]);
    await until(() => socket.destroyed);
    await until(async () => (await readersOf(running)) === 0);
  });

  it('counts its readers, and ends when they leave or the service stops', async () => {
    const own = await start({ plugins: [recorder, peopleNamed('ann')] });
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(`${own.url}/stream`, ann)));
    assert.equal(await readersOf(own), 5);
    await streams[0]?.leave();
    for (let tries = 0; (await readersOf(own)) !== 4; tries += 1) assert.ok(tries < 500, 'a reader left');
    await own.host.stop();
    for (const stream of streams) await stream.until(() => stream.ended);
  });
});
