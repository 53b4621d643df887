import assert from 'node:assert/strict';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { rpc, start, type Running } from './fixture.js';
import { questions } from './plugins/questions.js';
import { Events, modernHeaders, modernMeta, open, openSession, type Message } from './streams.js';

const TALK = { name: 'talk', arguments: {} };

describe('mcp: log messages', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [questions] });
  });
  after(() => running.host.stop());

  /** All messages of an answer; a plain JSON answer is one message. */
  async function answered(response: Response): Promise<Message[]> {
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('application/json')) return [(await response.json()) as Message];
    const events = new Events(response);
    const seen: Message[] = [];
    for (let message = await events.next(); message; message = await events.next()) seen.push(message);
    return seen;
  }

  const levels = (messages: readonly Message[]) =>
    messages
      .filter(({ method }) => method === 'notifications/message')
      .map(({ params }) => params?.['level']);

  it('reach an SDK 1.x client from the level that it set', async () => {
    const client = new LegacyClient({ name: 't', version: '1' });
    const seen: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.push(params));
    await client.connect(new LegacyHttp(new URL(running.url)));
    await client.callTool(TALK);
    assert.deepEqual(seen, []);
    await client.setLoggingLevel('info');
    await client.callTool(TALK);
    assert.deepEqual(
      seen,
      ['info', 'error'].map((level) => ({ level, logger: 'talk', data: { said: level } })),
    );
    await client.close();
  });

  it('respect the level of the session', async () => {
    const headers = await openSession(running.url, {});
    const set = async (level: string) => {
      const [message] = await answered(await open(running.url, rpc('logging/setLevel', { level }), headers));
      return message;
    };
    for (const [level, heard] of [
      ['emergency', []],
      ['error', ['error']],
      ['debug', ['debug', 'info', 'error']],
    ] as const) {
      assert.deepEqual((await set(level))?.result, {});
      const messages = await answered(await open(running.url, rpc('tools/call', TALK), headers));
      assert.deepEqual(levels(messages), heard);
      assert.deepEqual(messages.at(-1)?.result?.['structuredContent'], {});
    }
    assert.equal((await set('loud'))?.error?.code, -32602);
    const other = await openSession(running.url, {});
    assert.deepEqual(levels(await answered(await open(running.url, rpc('tools/call', TALK), other))), []);
    const plain = { ...headers, accept: 'application/json' };
    assert.equal((await answered(await open(running.url, rpc('tools/call', TALK), plain))).length, 1);
  });

  it('respect the level of a request of the stateless revision', async () => {
    for (const [level, heard] of [
      [undefined, []],
      ['error', ['error']],
      ['debug', ['debug', 'info', 'error']],
    ] as const) {
      const more = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
      const body = rpc('tools/call', { ...TALK, _meta: modernMeta({}, more) });
      const headers = modernHeaders('tools/call', 'talk');
      const messages = await answered(await open(running.url, body, headers));
      assert.deepEqual(levels(messages), heard);
      assert.deepEqual(messages.at(-1)?.result?.['structuredContent'], {});
      const plain = { ...headers, accept: 'application/json' };
      assert.equal((await answered(await open(running.url, body, plain))).length, 1);
    }
  });

  it('arrive in order with the progress', async () => {
    const headers = await openSession(running.url, {});
    await answered(await open(running.url, rpc('logging/setLevel', { level: 'debug' }), headers));
    const body = rpc('tools/call', { ...TALK, _meta: { progressToken: 7 } });
    const messages = await answered(await open(running.url, body, headers));
    const kinds = messages.map(({ method, params }) => [
      method?.split('/')[1],
      params?.['level'] ?? params?.['progress'],
    ]);
    assert.deepEqual(kinds.slice(0, -1), [
      ['progress', 0],
      ['message', 'debug'],
      ['progress', 1],
      ['message', 'info'],
      ['progress', 2],
      ['message', 'error'],
    ]);
  });
});
