import assert from 'node:assert/strict';
import { peopleNamed } from '@service-mcp/core/testing';
import { rpc, send, start, type Running } from './fixture.js';
import { questions } from './plugins/questions.js';
import {
  bearer,
  Events,
  modernHeaders,
  modernMeta,
  open,
  openSession,
  untilGauge,
  type Message,
} from './streams.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const city = (name: string) => ({ action: 'accept', content: { city: name } });
const call = (name: string, id: number | string = 1) => rpc('tools/call', { name, arguments: {} }, id);

describe('mcp: questions inside a session', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [questions, peopleNamed('ann', 'bob')] });
  });
  after(() => running.host.stop());

  const session = (name: string) => openSession(running.url, { elicitation: {}, sampling: {} }, bearer(name));
  const answer = (id: unknown, result: object, headers: Record<string, string>) =>
    send(running.url, { jsonrpc: '2.0', id, result }, headers);

  async function asked(headers: Record<string, string>, tool = 'ask_city', id: number | string = 1) {
    const events = new Events(await open(running.url, call(tool, id), headers));
    const question = await events.next();
    assert.ok(question);
    assert.equal(question.method, tool === 'ask_model' ? 'sampling/createMessage' : 'elicitation/create');
    return { events, question };
  }

  it('have unguessable ids and can be answered only by their recipient', async () => {
    const ann = await session('ann');
    const { events, question } = await asked(ann);
    assert.match(String(question.id), UUID);
    const stolen = { ...ann, ...bearer('bob') };
    assert.equal((await answer(question.id, city('Oslo'), stolen)).status, 404);
    for (const other of [await session('bob'), await session('ann')])
      assert.equal((await answer(question.id, city('Oslo'), other)).status, 400);
    assert.equal((await answer(question.id, city('Oslo'), bearer('ann'))).status, 404);
    assert.equal((await answer(question.id, city('Oslo'), {})).status, 401);
    for (const id of [0, 1, '0', null, {}]) assert.equal((await answer(id, city('Oslo'), ann)).status, 400);
    const taken = await answer(question.id, city('Bern'), ann);
    assert.deepEqual([taken.status, taken.raw], [202, '']);
    const { id, result } = (await events.next()) ?? {};
    assert.equal(id, 1);
    assert.deepEqual(result?.['structuredContent'], { answer: 'Bern' });
    assert.equal(await events.next(), undefined);
    assert.equal((await answer(question.id, city('Oslo'), ann)).status, 400); // once
  });

  it('are answered also with members that MCP does not know', async () => {
    const ann = await session('ann');
    const { events, question } = await asked(ann);
    const answered = { jsonrpc: '2.0', id: question.id, result: city('Bern'), sent_at: '2026-01-31' };
    assert.equal((await send(running.url, answered, ann)).status, 202);
    assert.deepEqual((await events.next())?.result?.['structuredContent'], { answer: 'Bern' });
  });

  it('of parallel calls do not cross', async () => {
    const ann = await session('ann');
    const calls = await Promise.all(
      Array.from({ length: 8 }, (_, index) => asked(ann, 'ask_city', `call ${index}`)),
    );
    assert.equal(new Set(calls.map(({ question }) => question.id)).size, 8);
    for (const [index, { question }] of [...calls.entries()].reverse())
      assert.equal((await answer(question.id, city(`city ${index}`), ann)).status, 202);
    for (const [index, { events }] of calls.entries()) {
      const { id, result } = (await events.next()) ?? {};
      assert.equal(id, `call ${index}`);
      assert.deepEqual(result?.['structuredContent'], { answer: `city ${index}` });
    }
  });

  it('are bounded', async () => {
    const ann = await session('ann');
    const open16 = await Promise.all(Array.from({ length: 16 }, (_, index) => asked(ann, 'ask_city', index)));
    const { body } = await send(running.url, call('ask_city', 16), ann);
    assert.match(String(body.result?.['content']?.[0]?.['text']), /^UNAVAILABLE: Too many questions/);
    await asked(await session('ann')); // of another session
    for (const { events } of open16) await events.close();
    await untilGauge(String(running.host.url), 'service_mcp_questions', 1); // those of disconnected clients are removed
    await asked(ann);
  });

  it('are cancelled when the client cancels the call', async () => {
    const ann = await session('ann');
    const { events, question } = await asked(ann, 'ask_city', 'mine');
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } };
    assert.equal((await send(running.url, cancel, ann)).status, 202);
    const back = await events.next();
    assert.equal(back?.method, 'notifications/cancelled');
    assert.equal(back.params?.['requestId'], question.id);
    assert.equal(await events.next(), undefined, 'what is taken back gets no answer');
    assert.equal((await answer(question.id, city('Oslo'), ann)).status, 400);
  });

  it('can be refused, and the text of the refusal is not shown', async () => {
    const ann = await session('ann');
    const { events, question } = await asked(ann, 'ask_model');
    const error = { code: -1, message: 'secret of the client' };
    assert.equal((await send(running.url, { jsonrpc: '2.0', id: question.id, error }, ann)).status, 202);
    const text = JSON.stringify(await events.next());
    assert.match(text, /UNAVAILABLE: The client gave no valid answer/);
    assert.doesNotMatch(text, /secret/);
  });

  it('accept only answers of the right shape', async () => {
    const ann = await session('ann');
    const { events, question } = await asked(ann);
    for (const wrong of [
      { result: 7 },
      { result: null },
      { error: {} },
      { error: 'no' },
      { result: {}, error: {} },
    ]) {
      const { status } = await send(running.url, { jsonrpc: '2.0', id: question.id, ...wrong }, ann);
      assert.equal(status, 400);
    }
    assert.equal((await answer(question.id, { action: 7 }, ann)).status, 202);
    assert.match(JSON.stringify(await events.next()), /UNAVAILABLE: The client gave no valid answer/);
    const deep = `{"jsonrpc":"2.0","id":"x","result":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    assert.equal((await send(running.url, deep, ann)).status, 400);
  });

  it('need a client with a stream, a session and the capability', async () => {
    const cases = [
      { ...(await session('ann')), accept: 'application/json' },
      bearer('ann'),
      await openSession(running.url, {}, bearer('ann')),
      await openSession(running.url, { elicitation: { url: {} } }, bearer('ann')),
    ];
    for (const headers of cases) {
      const { body } = await send(running.url, call('ask_city'), headers);
      assert.equal(body.result?.['isError'], true);
      assert.match(String(body.result?.['content']?.[0]?.['text']), /^UNAVAILABLE: .*Which city\?/);
    }
  });
});

describe('mcp: questions and the deadline of a call', () => {
  it('pause the deadline, each: a person may take longer than a call', async () => {
    const { url, host } = await start({ plugins: [questions], config: { server: { call_timeout_ms: 400 } } });
    const session = await openSession(url, { elicitation: {} });
    const events = new Events(await open(url, call('ask_twice'), session));
    const from = await events.next();
    assert.equal(from?.method, 'elicitation/create');
    await new Promise((resolve) => setTimeout(resolve, 900));
    const answer = (question: Message | undefined, name: string) =>
      send(url, { jsonrpc: '2.0', id: question?.id, result: city(name) }, session);
    assert.equal((await answer(from, 'Bern')).status, 202);
    assert.equal((await answer(await events.next(), 'Bonn')).status, 202);
    assert.deepEqual((await events.next())?.result?.['structuredContent'], { answer: 'Bern to Bonn' });
    await host.stop();
  });
});

describe('mcp: sealed states', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [questions, peopleNamed('ann', 'bob')] });
  });
  after(() => running.host.stop());

  async function ask(name: string, tool: string, more: object = {}) {
    const params = { name: tool, arguments: {}, _meta: modernMeta({ elicitation: {} }), ...more };
    const headers = { ...modernHeaders('tools/call', tool), ...bearer(name) };
    return (await send(running.url, rpc('tools/call', params), headers)).body;
  }

  it('are valid only unchanged, for their caller and tool', async () => {
    const first = await ask('ann', 'ask_twice');
    const state = String(first.result?.['requestState']);
    assert.equal(first.result?.['resultType'], 'input_required');
    assert.doesNotMatch(state, /nothing/);
    const answers = { inputResponses: { from: city('Bonn') } };
    const changed = `${state[0] === 'A' ? 'B' : 'A'}${state.slice(1)}`;
    for (const [who, tool, requestState] of [
      ['bob', 'ask_twice', state],
      ['ann', 'ask_forever', state],
      ['ann', 'ask_twice', changed],
      ['ann', 'ask_twice', `${state}-TAMPERED`],
      ['ann', 'ask_twice', ''],
      ['ann', 'ask_twice', 7],
    ] as const) {
      const { error } = await ask(who, tool, { ...answers, requestState });
      assert.equal(error?.code, -32602);
    }
    const { result } = await ask('ann', 'ask_twice', { ...answers, requestState: state });
    assert.deepEqual(Object.keys(result?.['inputRequests'] ?? {}), ['to']);
    const last = { inputResponses: { to: city('Köln') }, requestState: result?.['requestState'] };
    assert.deepEqual((await ask('ann', 'ask_twice', last)).result?.['structuredContent'], {
      answer: 'Bonn to Köln',
    });
  });

  it('stay valid when an answer is missing or malformed', async () => {
    for (const inputResponses of [null, 7, [], { other: city('x') }, { city: 12_345 }, { city: [] }]) {
      const { result } = await ask('ann', 'ask_city', { inputResponses });
      assert.equal(result?.['resultType'], 'input_required');
      assert.deepEqual(Object.keys(result?.['inputRequests'] ?? {}), ['city']);
    }
  });
});
