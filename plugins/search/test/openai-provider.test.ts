import assert from 'node:assert/strict';
import { openAiProvider, ProviderFailure, type OpenAiSettings } from '@service-mcp/plugin-search/internals';
import { body, EmbeddingServer, status, vectors, type Fault } from './embedding-server.js';

describe('embedding by an OpenAI-compatible service', function () {
  this.timeout(20_000);
  let server: EmbeddingServer;
  let url: string;
  beforeEach(async () => {
    server = new EmbeddingServer();
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
    const made = await provider.embed(texts(70), passages);
    assert.deepEqual(
      server.asked.map((asked) => asked.texts.length).toSorted((a, b) => a - b),
      [6, 32, 32],
    );
    assert.ok(server.asked.every(({ key }) => key === 'Bearer sk-secret'));
    for (const [i, { embedding }] of vectors(texts(70), 32).entries())
      for (const [k, value] of embedding.entries()) assert.ok(Math.abs(made[i]![k]! - value / 2) < 1e-6);
    assert.equal((await provider.describe()).dimensions, 32);
  });

  it('halves batches that are too large, and those after them', async () => {
    server.maxTexts = 10;
    const provider = open();
    assert.equal((await provider.embed(texts(32), passages)).length, 32);
    server.asked.length = 0;
    await provider.embed(texts(32), passages);
    assert.ok(server.asked.every((asked) => asked.texts.length <= 8));
    server.maxTexts = 0;
    assert.equal((await failing(provider.embed(['one'], passages))).refused, true);
  });

  it('tries again after 408, 429 and 5xx, and waits as long as it is told', async () => {
    server.faults.push(status(408), status(429, { 'retry-after': '1' }), status(503));
    const started = performance.now();
    assert.equal((await open().embed(['one'], passages)).length, 1);
    assert.equal(server.asked.length, 4);
    assert.ok(performance.now() - started >= 1000);
  });

  it('never tries again after another 4xx', async () => {
    for (const code of [400, 401, 403, 404, 422]) {
      server.asked.length = 0;
      server.faults.push(status(code));
      const error = await failing(open().embed(['one'], passages));
      assert.deepEqual([server.asked.length, error.refused], [1, code === 400 || code === 422], String(code));
    }
  });

  it('does not follow a redirect with the key', async () => {
    server.broken = status(307, { location: `${url}/embeddings` });
    await failing(open().embed(['one'], { purpose: 'query' }));
    assert.ok(server.asked.length <= 2);
  });

  const item = (index: number, embedding: unknown) => ({ index, embedding });
  const list = (...data: object[]) => body(JSON.stringify({ data }));
  const one = Array.from({ length: 32 }, () => 1);
  const hostile: Readonly<Record<string, Fault>> = {
    'is HTML': body('<html>Sign in</html>'),
    'is empty': body(''),
    'is null': body('null'),
    'has no list': body('{"data":{"0":[]}}'),
    'lacks a vector': list(item(0, one)),
    'has a vector too many': list(item(0, one), item(1, one), item(2, one)),
    'has an index twice': list(item(0, one), item(0, one)),
    'has an index out of range': list(item(0, one), item(2, one)),
    'lacks an index': list(item(0, one), { embedding: one }),
    'has unequal dimensions': list(item(0, one), item(1, one.slice(1))),
    'has a text for a number': list(item(0, one), item(1, one.with(3, 'NaN' as unknown as number))),
    'has null for a number': list(item(0, one), item(1, one.with(3, null as unknown as number))),
    'has an infinite number': body(`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e999]}]}`),
    'has an empty vector': list(item(0, []), item(1, [])),
    'has a vector that is far too long': list(item(0, Array(20_000).fill(1)), item(1, one)),
    'is cut off': body((sent) => JSON.stringify({ data: vectors(sent, 32) }).slice(0, -20)),
  };
  for (const [what, fault] of Object.entries(hostile)) {
    it(`takes no vector from a reply that ${what}`, async () => {
      server.faults.push(fault);
      await failing(open().embed(['one', 'two'], passages));
      assert.equal(server.asked.length, 1);
    });
  }

  it('checks the dimensions that it has learnt, or was told', async () => {
    const provider = open();
    await provider.describe();
    server.faults.push(list(item(0, one.slice(1))));
    assert.match((await failing(provider.embed(['one'], passages))).message, /31 instead of 32/);
    await failing(open({ dimensions: 16 }).embed(['one'], passages));
  });

  it('stops reading a reply without end, and one that drips', async () => {
    server.faults.push((response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 32)));
        response.once('drain', more);
      };
      more();
    });
    await failing(open({ timeoutMs: 15_000 }).embed(['one'], passages));
    server.broken = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    };
    const error = await failing(open({ timeoutMs: 300 }).embed(['one'], { purpose: 'query' }));
    assert.match(error.message, /no answer within 300 ms/);
  });

  it('ends with its caller', async () => {
    server.broken = () => undefined;
    const controller = new AbortController();
    const asked = open().embed(texts(100), { purpose: 'passage', signal: controller.signal });
    setTimeout(() => controller.abort(new Error('gone')), 50);
    await assert.rejects(asked, /gone/);
  });

  it('leaves a service alone that fails, and tries it again later', async () => {
    const provider = open();
    server.broken = status(401);
    for (let i = 0; i < 3; i++) await failing(provider.embed(['one'], passages));
    assert.equal(server.asked.length, 3);
    const error = await failing(provider.embed(['one'], passages));
    assert.ok(error.retryAfterMs > 0 && error.retryAfterMs <= 300);
    assert.equal(server.asked.length, 3);
    await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs + 20));
    await failing(provider.embed(['one'], passages));
    assert.equal(server.asked.length, 4, 'one call is let through');
    await failing(provider.embed(['one'], passages));
    assert.equal(server.asked.length, 4, 'and closes nothing when it fails');
    server.broken = undefined;
    await new Promise((resolve) => setTimeout(resolve, 320));
    assert.equal((await provider.embed(['one'], passages)).length, 1);
    assert.equal((await provider.embed(['one'], passages)).length, 1);
  });
});
