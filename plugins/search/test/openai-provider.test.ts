import assert from 'node:assert/strict';
import { modelFaults, ModelServer, wordVector, type ModelFault } from '@service-mcp/core/testing';
import { ProviderFailure } from '@service-mcp/plugin-search/contract';
import { openAiProvider, type OpenAiSettings } from '@service-mcp/plugin-search/internals';

const { body, status } = modelFaults;

describe('embedding by an OpenAI-compatible service', () => {
  let server: ModelServer;
  let url: string;
  beforeEach(async () => {
    server = new ModelServer();
    url = await server.start();
  });
  afterEach(() => server.stop());

  const open = (more: Partial<OpenAiSettings> = {}) =>
    openAiProvider({
      url,
      key: 'sk-secret',
      model: 'm32',
      dimensions: undefined,
      queryPrefix: '',
      passagePrefix: '',
      batch: 32,
      timeoutMs: 2000,
      retryMs: 300,
      ...more,
    });
  const sizes = () => server.requests.map(({ body: { input = [] } }) => input.length);
  const texts = (count: number) => Array.from({ length: count }, (_, i) => `text number${String(i)}`);
  const passages = { purpose: 'passage' } as const;
  const failing = async (work: Promise<unknown>): Promise<ProviderFailure> => {
    const error = await work.then(
      () => assert.fail('it succeeded'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ProviderFailure, String(error));
    assert.ok(!error.message.includes('sk-secret'));
    return error;
  };

  it('asks in batches, puts vectors in order and gives them length 1', async () => {
    const provider = open();
    const { vectors: made, tokens } = await provider.embed(texts(70), passages);
    assert.equal(tokens, 140, 'two words each, as the service counts');
    assert.deepEqual(new Set(sizes()), new Set([32, 6]));
    assert.equal(server.requests.length, 3);
    assert.ok(server.requests.every(({ key }) => key === 'Bearer sk-secret'));
    for (const [i, text] of texts(70).entries()) {
      const sent = wordVector(text, 32);
      const length = Math.hypot(...sent);
      for (const [k, value] of sent.entries()) assert.ok(Math.abs(made[i]![k]! - value / length) < 1e-6);
    }
    assert.equal((await provider.describe()).dimensions, 32);
  });

  it('halves batches that are too large, and those after them', async () => {
    server.maxTexts = 10;
    const provider = open();
    assert.equal((await provider.embed(texts(32), passages)).vectors.length, 32);
    server.requests.length = 0;
    await provider.embed(texts(32), passages);
    assert.ok(sizes().every((size) => size <= 8));
    server.maxTexts = 0;
    assert.equal((await failing(provider.embed(['one'], passages))).refused, true);
  });

  it('tries again after 408, 429, 5xx and broken connections, and waits as long as it is told', async () => {
    const { dropped, truncated } = modelFaults;
    server.faults.push(status(408), dropped, truncated);
    assert.equal((await open().embed(['one'], passages)).vectors.length, 1);
    assert.equal(server.requests.length, 4);
    server.faults.push(status(503), status(429, { 'retry-after': '1' }));
    const started = performance.now();
    assert.equal((await open().embed(['one'], passages)).vectors.length, 1);
    assert.ok(performance.now() - started >= 1000);
    server.faults.push(status(429, { 'retry-after': '60' }));
    const error = await failing(open().embed(['one'], passages));
    assert.deepEqual([server.requests.length, error.retryAfterMs], [8, 60_000], 'nobody waits that long');
  });

  it('never tries again after another 4xx or a redirect, and says what to do', async () => {
    const codes: Readonly<Record<number, RegExp>> = {
      400: /refuses the input or the name of the model/,
      401: /check the key/,
      403: /check the key/,
      404: /check the address and the name of the model/,
      413: /too large/,
      422: /refuses the input/,
      307: /redirect, which is not followed: configure the address/,
    };
    for (const [code, message] of Object.entries(codes)) {
      server.requests.length = 0;
      server.broken = status(Number(code), { location: `${url}/embeddings` });
      const error = await failing(open().embed(['one'], passages));
      assert.match(error.message, message);
      assert.match(error.message, new RegExp(`HTTP ${code}`));
      assert.deepEqual(
        [server.requests.length, error.refused],
        [1, ['400', '413', '422'].includes(code)],
        code,
      );
    }
  });

  const item = (index: number, embedding: unknown) => ({ index, embedding });
  const list = (...data: object[]) => body(JSON.stringify({ data }));
  const one = Array.from({ length: 32 }, () => 1);
  const notJson = /not JSON: it is cut off, holds NaN, or the address is not that of an API/;
  const noList = /not a list of embeddings: check that the address ends with \/v1/;
  const badIndex = /an index of its reply is missing, twice there, or out of range/;
  const notFinite = /an entry that is not a finite number/;
  const hostile: Readonly<Record<string, readonly [ModelFault, RegExp]>> = {
    'is HTML': [body('<html>Sign in</html>'), notJson],
    'is empty': [body(''), notJson],
    'is cut off': [body(() => JSON.stringify({ data: [item(0, one), item(1, one)] }).slice(0, -20)), notJson],
    'has NaN': [body('{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}'), notJson],
    'is null': [body('null'), noList],
    'has no list': [body('{"data":{"0":[]}}'), noList],
    'lacks a vector': [list(item(0, one)), /1 vectors for 2 texts/],
    'has a vector too many': [list(item(0, one), item(1, one), item(2, one)), /3 vectors for 2 texts/],
    'has an index twice': [list(item(0, one), item(0, one)), badIndex],
    'has an index out of range': [list(item(0, one), item(2, one)), badIndex],
    'lacks an index': [list(item(0, one), { embedding: one }), badIndex],
    'has unequal dimensions': [list(item(0, one), item(1, one.slice(1))), /31 instead of 32 dimensions/],
    'has a text for a number': [list(item(0, one), item(1, [...one.slice(1), 'NaN'])), notFinite],
    'has null for a number': [list(item(0, one), item(1, [...one.slice(1), null])), notFinite],
    'has an infinite number': [
      body('{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e999]}]}'),
      notFinite,
    ],
    'has an empty vector': [list(item(0, []), item(1, [])), /missing or too long/],
    'has a vector that is far too long': [
      list(item(0, Array(20_000).fill(1)), item(1, one)),
      /missing or too long/,
    ],
    'has no end': [modelFaults.endless, /more than 67108864 bytes/],
  };
  for (const [what, [fault, message]] of Object.entries(hostile)) {
    it(`takes no vector from a reply that ${what}`, async () => {
      server.faults.push(fault);
      const error = await failing(open({ timeoutMs: 15_000 }).embed(['one', 'two'], passages));
      assert.match(error.message, message);
      assert.equal(server.requests.length, 1);
    });
  }

  it('says that a service is slow, breaks off or cannot be reached', async () => {
    const query = { purpose: 'query' } as const;
    for (const fault of [modelFaults.silent, modelFaults.dripping]) {
      server.broken = fault;
      const { message } = await failing(open({ timeoutMs: 300 }).embed(['one'], query));
      assert.match(message, /no answer within 300 ms: check that it runs, or allow it more time/);
    }
    server.broken = modelFaults.truncated;
    assert.match((await failing(open().embed(['one'], query))).message, /its reply broke off/);
    server.broken = modelFaults.dropped;
    assert.match((await failing(open().embed(['one'], query))).message, /cannot be reached: check/);
  });

  it('checks the dimensions that it has learnt, or was told', async () => {
    const provider = open();
    await provider.describe();
    server.faults.push(list(item(0, one.slice(1))));
    assert.match((await failing(provider.embed(['one'], passages))).message, /31 instead of 32/);
    await failing(open({ dimensions: 16 }).embed(['one'], passages));
  });

  it('ends with its caller', async () => {
    server.broken = modelFaults.silent;
    const controller = new AbortController();
    const asked = open().embed(texts(100), { purpose: 'passage', signal: controller.signal });
    setTimeout(() => controller.abort(new Error('gone')), 50);
    await assert.rejects(asked, /gone/);
  });

  it('leaves a service alone that fails, and tries it again later', async () => {
    const provider = open();
    server.broken = status(401);
    for (let i = 0; i < 3; i++) await failing(provider.embed(['one'], passages));
    assert.equal(server.requests.length, 3);
    const error = await failing(provider.embed(['one'], passages));
    assert.ok(error.retryAfterMs > 0 && error.retryAfterMs <= 300);
    assert.match(error.message, /check the key .*left alone for 1 s/);
    assert.equal(server.requests.length, 3);
    await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs + 20));
    await failing(provider.embed(['one'], passages));
    assert.equal(server.requests.length, 4, 'one call is let through');
    await failing(provider.embed(['one'], passages));
    assert.equal(server.requests.length, 4, 'and closes nothing when it fails');
    server.broken = undefined;
    await new Promise((resolve) => setTimeout(resolve, 320));
    assert.equal((await provider.embed(['one'], passages)).vectors.length, 1);
    assert.equal((await provider.embed(['one'], passages)).vectors.length, 1);
  });

  it('sends hundreds of texts under one signal without a warning of the runtime', async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error) => warnings.push(message);
    process.on('warning', warned);
    try {
      const { signal } = new AbortController();
      const provider = open({ batch: 4 });
      for (const purpose of ['passage', 'call'] as const)
        assert.equal((await provider.embed(texts(80), { purpose, signal })).vectors.length, 80);
    } finally {
      process.off('warning', warned);
    }
    assert.deepEqual(warnings, []);
  });

  it('takes many texts again after it has failed: one request tries it, and the others follow', async () => {
    const provider = open({ retryMs: 0 });
    for (const purpose of ['passage', 'call'] as const) {
      server.broken = status(401);
      for (let i = 0; i < 4; i++) await failing(provider.embed(texts(100), { purpose }));
      server.broken = undefined;
      assert.equal((await provider.embed(texts(100), { purpose })).vectors.length, 100);
    }
  });
});
