import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  onDatabase,
  modelFaults,
  ModelServer,
  type TestDatabase,
  type TestHost,
} from '@service-mcp/core/testing';
import { attach, newSite, site, type Site } from './harness.js';

const FILES = {
  'lantern.md': '# Lantern\n\nThe keeper trims the wick of the lantern.\n',
  'harbor.py':
    'def enter_harbor(ship):\n    """The ship enters the harbor at night."""\n    return ship.name\n',
  'walrus.md': '# Walrus\n\nA walrus sleeps on the ice.\n',
};

/** Failures that are not tried again cost no waits; those that are have tests in openai-provider. */
const AWAY = modelFaults.status(401);

/** Embedding by a provider, on one engine; PostgreSQL runs with the long tests. */
export function providerSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('embedding by a provider', () => {
      let server: ModelServer;
      let url: string;
      let database: TestDatabase;
      let host: TestHost;
      let at: Site;

      const configured = (more: object = {}) => ({
        embedding_provider: 'openai',
        embedding_url: url,
        embedding_key: 'sk-secret',
        embedding_model: 'm32',
        embedding_retry_ms: 200,
        ...more,
      });
      const open = (config: object) => site({ database, config });
      const reopen = async (config: object) => {
        await at.stop();
        const { host } = await site({ database, config });
        at = attach(host, at.workspaceId, at.projectId);
      };
      const found = async (mode: string, query: string) => {
        const { results, warnings } = await at.search(mode, { query, limit: 3 });
        return { first: results[0]?.path, warnings: warnings.join(' '), scores: results[0]?.scores };
      };
      /** Texts that were embedded, without the one that asks for the dimensions. */
      const texts = () =>
        server.requests.flatMap(({ body: { input = [] } }) => input).filter((text) => text !== 'dimensions');
      const modelOf = (text: string) =>
        server.requests.findLast(({ body: { input = [] } }) => input[0] === text)?.body.model;
      const spaces = () =>
        at.host.database.sql<{ workspace_id: string; kind: string; state: string; dimensions: number }>(
          'search_spaces',
        );
      const inUse = async (kind: string, dimensions: number) => {
        for (;;) {
          const [active, ...others] = (await spaces()).filter(({ state }) => state !== 'retired');
          if (others.length === 0 && active?.kind === kind && active.dimensions === dimensions) return;
          await delay(30);
        }
      };
      /** As long as searches may still use the space that was in use before. */
      const known = () => delay(600);

      before(async () => {
        server = new ModelServer();
        url = await server.start();
      });
      beforeEach(() => {
        Object.assign(server, { broken: undefined, refuses: undefined });
        server.requests.length = 0;
      });
      after(() => server.stop());

      describe('that answers', () => {
        before(async () => {
          database = await fresh();
          const prefixes = { embedding_query_prefix: 'query: ', embedding_passage_prefix: 'passage: ' };
          host = (await open(configured(prefixes))).host;
        });
        beforeEach(async () => {
          at = await newSite(host);
        });
        after(() => host.stop());

        it('answers semantic and hybrid searches with its vectors, and sends nothing twice', async () => {
          await at.ingest(FILES);
          await at.settled();
          const semantic = await found('semantic', 'walrus on the ice');
          assert.deepEqual([semantic.first, semantic.warnings], ['walrus.md', '']);
          assert.ok((semantic.scores?.semantic ?? 0) > 0.3);
          assert.equal((await found('hybrid', 'ship enters the harbor')).first, 'harbor.py');
          await found('semantic', 'walrus on the ice');
          assert.equal(texts().filter((text) => text === 'query: walrus on the ice').length, 1);
          const passages = texts().filter((text) => text.startsWith('passage: '));
          assert.equal(new Set(passages).size, passages.length);
          assert.deepEqual(
            await spaces().where('workspace_id', at.workspaceId).select('kind', 'state', 'dimensions'),
            [{ kind: 'provided', state: 'active', dimensions: 32 }],
          );
        });

        it('keeps its vectors where a process that is not configured for it asks for others', async () => {
          await at.ingest(FILES);
          await at.settled();
          const own = { workspace_id: at.workspaceId };
          const [active] = await spaces().where(own);
          const since = new Date().toISOString();
          await at.host.database.sql('search_spaces').insert({
            ...active,
            space_id: 'of doctor',
            kind: 'hashed',
            state: 'building',
            dimensions: 160,
            since,
          });
          while ((await spaces().where({ ...own, state: 'building' })).length > 0) await delay(20);
          const left = await spaces().where({ ...own, state: 'active' });
          assert.deepEqual(
            left.map(({ kind }) => kind),
            ['provided'],
          );
        });

        it('embeds nothing again that has not changed: parts of a file, and files that are renamed', async () => {
          const parts = Array.from(
            { length: 6 },
            (_, i) => `# Part ${i}\n\n${`Word${i} and more of it. `.repeat(60)}\n\n`,
          );
          await at.ingest({ 'long.md': parts.join('') });
          await at.settled();
          const before = texts().length;
          assert.ok(before >= 6, `${before} passages`);
          parts.unshift('# New\n\nA part that was not there.\n\n'.repeat(30));
          await at.ingest({ 'long.md': parts.join('') });
          await at.settled();
          const changed = texts().slice(before);
          assert.ok(
            changed.length > 0 && changed.every((text) => text.includes('not there')),
            changed.join('\n'),
          );
          const then = texts().length;
          await at.ingest({ 'renamed.md': parts.join('') });
          await at.settled();
          await at.host.use('files_delete', { project_id: at.projectId, paths: ['long.md'] });
          await at.settled();
          assert.deepEqual(texts().slice(then), []);
          assert.equal((await found('semantic', 'Word3')).first, 'renamed.md');
        });

        it('that refuses one document fails that one alone', async () => {
          const poison = 'Poison in the well.';
          server.broken = undefined;
          server.refuses = ({ body: { input = [] } }) => input.some((text) => text.includes(poison));
          await at.ingest({ ...FILES, 'poison.md': `# Bad\n\n${poison}\n` });
          while ((await found('semantic', 'walrus on the ice')).first !== 'walrus.md') await delay(30);
          const pending = async () =>
            (await at.host.use<{ pending: number }>('projects_index_status', { project_id: at.projectId }))
              .pending;
          while ((await pending()) !== 1) await delay(30);
          assert.equal((await found('keyword', 'poison')).first, 'poison.md');
        });
      });

      describe('that is replaced or away', () => {
        beforeEach(async () => {
          database = await fresh();
        });
        afterEach(() => at.stop());

        it('embeds nothing again after an update of the chunker, and answers meanwhile', async () => {
          at = await open(configured());
          await at.ingest(FILES);
          await at.settled();
          const before = texts().length;
          const index = () => at.host.database.sql<{ chunker_version: string }>('search_index');
          const [current] = await index();
          await index().update({ chunker_version: '1' });
          await reopen(configured());
          while ((await index())[0]?.chunker_version !== current?.chunker_version) {
            assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');
            await delay(10);
          }
          await at.settled();
          assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');
          assert.deepEqual(
            texts()
              .slice(before)
              .filter((text) => text !== 'walrus on the ice'),
            [],
          );
          await index().update({ chunker_version: '99' });
          await reopen(configured());
          await at.ingest({ 'late.md': 'Late.\n' });
          await at.settled();
          assert.deepEqual(await index().select('chunker_version'), [{ chunker_version: '99' }]);
        });

        it('that is away leaves documents pending and found by words; their vectors follow', async () => {
          server.broken = AWAY;
          at = await open(configured());
          await at.ingest(FILES);
          while ((await found('keyword', 'walrus')).first !== 'walrus.md') await delay(30);
          assert.equal((await at.search('pattern', { query: 'enter_\\w+' })).results[0]?.path, 'harbor.py');
          const hybrid = await found('hybrid', 'walrus');
          assert.equal(hybrid.first, 'walrus.md');
          assert.match(hybrid.warnings, /^degraded: the embedding provider/);
          const semantic = await at.search('semantic', { query: 'walrus' });
          assert.deepEqual([semantic.results.length, semantic.index.state], [0, 'indexing']);
          assert.match(semantic.warnings.join(), /degraded/);
          const health = (await at.host.health()).find(({ name }) => name === 'embeddings');
          assert.equal(health?.status, 'degraded');

          server.broken = undefined;
          await at.settled();
          const after = await found('semantic', 'walrus on the ice');
          assert.deepEqual([after.first, after.warnings], ['walrus.md', '']);
          await at.ingest({ 'walrus.md': '# Walrus\n\nThe walrus swims now.\n' });
          await at.settled();
          server.broken = AWAY;
          assert.match((await found('hybrid', 'something new')).warnings, /degraded/);
        });

        it('replaces another without a gap: from the embedded one, to another model, and back', async () => {
          at = await open({ training: false });
          await at.ingest(FILES);
          await at.settled();
          await reopen(configured());
          await inUse('provided', 32);
          assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');

          server.refuses = ({ body: { model } }) => model === 'm48';
          await reopen(configured({ embedding_model: 'm48' }));
          assert.equal((await found('semantic', 'keeper trims the wick')).first, 'lantern.md');
          assert.equal(modelOf('keeper trims the wick'), 'm32');
          server.refuses = undefined;
          await inUse('provided', 48);
          await known();
          assert.equal((await found('semantic', 'the ship enters at night')).first, 'harbor.py');
          assert.equal(modelOf('the ship enters at night'), 'm48');

          const calls = server.requests.length;
          await reopen({ training: false });
          await at.ingest({ 'seal.md': '# Seal\n\nA seal dives.\n' });
          await at.search('semantic', { query: 'seal dives' });
          await inUse('hashed', 160);
          await known();
          assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');
          assert.equal(server.requests.length, calls);
        });

        it('comes into use without the vectors of a document that it refuses', async () => {
          const poison = 'Poison in the well.';
          at = await open({ training: false });
          await at.ingest({ ...FILES, 'poison.md': `# Bad\n\n${poison}\n` });
          await at.settled();
          server.refuses = ({ body: { input = [] } }) => input.some((text) => text.includes(poison));
          await reopen(configured());
          await inUse('provided', 32);
          assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');
          assert.equal((await found('keyword', 'poison')).first, 'poison.md');
        });

        it('is not built any more once another is configured, and comes back into use after it', async () => {
          at = await open(configured());
          await at.ingest(FILES);
          await at.settled();
          server.broken = AWAY;
          for (const size of [40, 48]) {
            await reopen(configured({ embedding_model: `m${size}`, embedding_dimensions: size }));
            while ((await spaces().where({ dimensions: size })).length === 0) await delay(10);
          }
          const [former] = await spaces().where({ dimensions: 40 });
          assert.ok(!former || former.state === 'retired');
          server.broken = undefined;
          await inUse('provided', 48);
          await reopen(configured());
          await inUse('provided', 32);
          await known();
          assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');
          assert.equal(modelOf('walrus on the ice'), 'm32');
        });

        it('that is away at a start still serves its space once it is back', async () => {
          at = await open(configured());
          await at.ingest(FILES);
          await at.settled();
          server.broken = AWAY;
          await reopen(configured());
          assert.match((await found('semantic', 'walrus on the ice')).warnings, /degraded/);
          await at.ingest({ 'seal.md': '# Seal\n\nA seal dives.\n' });
          while ((await found('keyword', 'seal')).first !== 'seal.md') await delay(30);
          server.broken = undefined;
          await at.settled();
          assert.equal((await found('semantic', 'seal dives')).first, 'seal.md');
          assert.equal((await spaces()).length, 1);
        });
      });
    });
  });
}
