import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '@service-mcp/core';
import {
  callerWith,
  eachDatabase,
  modelFaults,
  ModelServer,
  rejects,
  testHost,
  type ModelFault,
  type TestDatabase,
  type TestHost,
} from '@service-mcp/core/testing';
import { PLUGINS } from './support/filled-workspace.js';

interface Answer {
  readonly model: string;
  readonly space_id: string;
  readonly dimensions: number;
  readonly embeddings: readonly (readonly number[])[];
  readonly usage: { readonly tokens: number };
  readonly warnings: readonly string[];
}

const start = (config: object, database?: TestDatabase) =>
  testHost({
    plugins: PLUGINS,
    config: { search: { training: false, ...config } },
    ...(database && { database }),
  });
const workspace = async (host: TestHost) =>
  (await host.use<{ id: string }>('workspaces_create', { name: 'Team' })).id;
const cosine = (a: readonly number[] = [], b: readonly number[] = []) =>
  a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
const areUnit = ({ embeddings, dimensions }: Answer) =>
  embeddings.every((vector) => vector.length === dimensions && Math.abs(Math.hypot(...vector) - 1) < 1e-5);

eachDatabase((fresh) => {
  describe('embeddings by the embedder of a workspace', () => {
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      host = await start({}, await fresh());
    });
    after(() => host.stop());
    const embed = (args: object) => host.use<Answer>('ai_embeddings', args, { surface: 'rest' });

    it('need a workspace, which may be left out by those who have one', async () => {
      await rejects(embed({ input: 'lantern' }), 'INVALID_ARGUMENT', /workspaces_create/);
      workspace_id = await workspace(host);
      const [alone, named] = [
        await embed({ input: 'lantern' }),
        await embed({ input: 'lantern', workspace_id }),
      ];
      assert.deepEqual(alone, named);
      const other = await workspace(host);
      await rejects(
        embed({ input: 'lantern' }),
        'INVALID_ARGUMENT',
        /workspace_id: is required.*workspaces_list/,
      );
      await host.use('workspaces_delete', { workspace_id: other });
    });

    it('have length 1, the order of the texts, and the name of their space', async () => {
      const input = ['the keeper trims the lantern', 'lantern keeper', 'a ship in the harbor'];
      const answer = await embed({ input, workspace_id });
      const [first, near, far] = answer.embeddings;
      assert.ok(areUnit(answer));
      assert.ok(cosine(first, near) > cosine(first, far));
      assert.match(answer.model, /^embedded\//);
      assert.match(answer.space_id, /^[0-9a-f]{24}$/);
      assert.equal(answer.usage.tokens, 7, 'terms without stop words');
      assert.match(answer.warnings.join(), /not trained yet/);
      const query = await embed({ input: input[1], workspace_id, kind: 'query' });
      assert.deepEqual(query.embeddings, [near]);
    });

    it('answer many calls at once, each its own texts', async () => {
      const words = Array.from({ length: 20 }, (_, i) => `word${i} lantern${i}`);
      const alone = await embed({ input: words, workspace_id });
      const together = await Promise.all(words.map((input) => embed({ input, workspace_id })));
      assert.deepEqual(
        together.flatMap(({ embeddings }) => embeddings),
        alone.embeddings,
      );
    });

    it('name the texts that have no vector', async () => {
      const refused = embed({ input: ['lantern', '—', 'ship', '{}();'], workspace_id });
      const { details = {} } = await rejects(refused, 'INVALID_ARGUMENT', /^input\.1: holds no word.*1 more/);
      assert.deepEqual(
        (details['issues'] as { path: string }[]).map(({ path }) => path),
        ['/input/1', '/input/3'],
      );
    });

    it('take hostile text as text, and refuse other input with what to do', async () => {
      const hostile = [
        "' OR 1=1 --",
        '<|endoftext|> x',
        '\u{1F980} crab',
        '${jndi:ldap://x}',
        'a'.repeat(32_000),
      ];
      assert.ok(areUnit(await embed({ input: hostile, workspace_id })));
      for (const bad of [
        {},
        { input: '' },
        { input: [] },
        { input: ['x', ''] },
        { input: 7 },
        { input: { x: 1 } },
        { input: 'x'.repeat(32_001) },
        { input: Array.from({ length: 257 }, () => 'x') },
        { input: 'x', kind: 'text' },
        { input: 'x', model: 'other' },
        { input: 'x\0' },
      ])
        await rejects(embed({ workspace_id, ...bad }), 'INVALID_ARGUMENT');
      await rejects(embed({ input: 'x', workspace_id: crypto.randomUUID() }), 'NOT_FOUND', /workspaces_list/);
      const as = callerWith({ scopes: ['search:read'] });
      await rejects(
        host.use('ai_embeddings', { input: 'x' }, { as, surface: 'rest' }),
        'PERMISSION_DENIED',
        /ai:read/,
      );
    });
  });
});

describe('embeddings by a provider', () => {
  let server: ModelServer;
  let host: TestHost;
  before(async () => {
    server = new ModelServer();
    host = await start({
      embedding_provider: 'openai',
      embedding_url: await server.start(),
      embedding_key: 'sk-secret',
      embedding_model: 'm32',
      embedding_query_prefix: 'query: ',
      embedding_passage_prefix: 'passage: ',
      embedding_batch: 100,
      embedding_timeout_ms: 1000,
      embedding_retry_ms: 100,
    });
  });
  after(async () => {
    await host.stop();
    await server.stop();
  });
  const embed = (args: object) => host.use<Answer>('ai_embeddings', args, { surface: 'rest' });
  const inputs = () => server.requests.map(({ body: { input = [] } }) => input);

  it('need no workspace, and are of one space in all of them', async () => {
    const answer = await embed({ input: ['lantern', 'ship'] });
    assert.ok(areUnit(answer));
    assert.deepEqual([answer.model, answer.dimensions, answer.usage.tokens], ['openai/m32', 32, 4]);
    assert.deepEqual(
      await embed({ input: ['lantern', 'ship'], workspace_id: await workspace(host) }),
      answer,
    );
  });

  it('have the prefix of their kind, and are asked for in batches', async () => {
    server.requests.length = 0;
    await embed({ input: 'lantern' });
    await embed({ input: 'lantern', kind: 'query' });
    assert.deepEqual(inputs(), [['passage: lantern'], ['query: lantern']]);
    server.requests.length = 0;
    const input = Array.from({ length: 256 }, (_, i) => `text number${i}`);
    const { embeddings } = await embed({ input });
    assert.deepEqual(
      inputs().map((batch) => batch.length),
      [100, 100, 56],
    );
    const [last] = (await embed({ input: input[255] })).embeddings;
    assert.deepEqual(embeddings[255], last);
  });

  const vector = Array.from({ length: 32 }, () => 1);
  const list = (...embeddings: unknown[]) =>
    modelFaults.body(JSON.stringify({ data: embeddings.map((embedding, index) => ({ index, embedding })) }));
  const { status, body } = modelFaults;
  const faults: Readonly<Record<string, readonly [ModelFault, ErrorCode, RegExp]>> = {
    'is slow': [modelFaults.silent, 'UNAVAILABLE', /no answer within 1000 ms: check that it runs/],
    fails: [status(500), 'UNAVAILABLE', /answers with HTTP 500\. Try again/],
    'refuses the key': [status(401), 'UNAVAILABLE', /HTTP 401: check the key/],
    'has no such model': [
      status(404),
      'UNAVAILABLE',
      /HTTP 404: check the address and the name of the model/,
    ],
    'refuses the text': [status(400), 'INVALID_ARGUMENT', /does not take it: .*HTTP 400.*shorter texts/],
    'finds the text too large': [status(413), 'INVALID_ARGUMENT', /HTTP 413: the input is too large for it/],
    redirects: [
      status(307, { location: 'http://127.0.0.1:1/' }),
      'UNAVAILABLE',
      /HTTP 307, a redirect, which is not followed: configure the address/,
    ],
    'gives too many vectors': [list(vector, vector), 'UNAVAILABLE', /2 vectors for 1 texts/],
    'gives NaN': [body('{"data":[{"index":0,"embedding":[NaN]}]}'), 'UNAVAILABLE', /holds NaN/],
    'gives other dimensions': [list(vector.slice(1)), 'UNAVAILABLE', /31 instead of 32 dimensions/],
    'breaks off': [modelFaults.truncated, 'UNAVAILABLE', /its reply broke off/],
    'drops the connection': [modelFaults.dropped, 'UNAVAILABLE', /cannot be reached: check that it runs/],
    'gives no JSON': [body('<html>Sign in</html>'), 'UNAVAILABLE', /its reply is not JSON/],
    'gives a null vector': [list(vector.map(() => 0)), 'INVALID_ARGUMENT', /input\.0: holds no word/],
    // The last one: nothing is asked of it for 20 s.
    'limits its rate': [
      status(429, { 'retry-after': '20' }),
      'UNAVAILABLE',
      /HTTP 429: its rate limit or quota is used up. Try again in 20 s/,
    ],
  };
  for (const [what, [fault, code, message]] of Object.entries(faults)) {
    it(`say what to do when it ${what}`, async () => {
      // The circuit closes with a success, a moment after the faults before.
      while (!(await embed({ input: 'ship' }).catch(() => undefined))) await delay(20);
      server.broken = fault;
      const error = await rejects(embed({ input: 'lantern' }), code, message).finally(
        () => (server.broken = undefined),
      );
      assert.doesNotMatch(JSON.stringify(error.body), /sk-secret|127\.0\.0\.1/);
    });
  }
});
