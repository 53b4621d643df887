import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { EmbeddingServer, status } from './embedding-server.js';
import { attach, site, type Site } from './harness.js';

const FILES = {
  'lantern.md': '# Lantern\n\nThe keeper trims the wick of the lantern.\n',
  'harbor.py':
    'def enter_harbor(ship):\n    """The ship enters the harbor at night."""\n    return ship.name\n',
  'walrus.md': '# Walrus\n\nA walrus sleeps on the ice.\n',
};

eachDatabase((fresh) => {
  describe('embedding by a provider', function () {
    this.timeout(60_000);
    let server: EmbeddingServer;
    let url: string;
    let database: TestDatabase;
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
    const spaces = () =>
      at.host.database.sql<{ kind: string; state: string; dimensions: number }>('search_spaces');
    const inUse = async (kind: string, dimensions: number) => {
      for (;;) {
        const [active, ...others] = (await spaces()).filter(({ state }) => state !== 'retired');
        if (others.length === 0 && active?.kind === kind && active.dimensions === dimensions) return;
        await delay(30);
      }
    };

    beforeEach(async () => {
      server = new EmbeddingServer();
      url = await server.start();
      database = await fresh();
    });
    afterEach(async () => {
      await at.stop();
      await server.stop();
    });

    it('answers semantic and hybrid searches with its vectors, and sends nothing twice', async () => {
      at = await open(
        configured({ embedding_query_prefix: 'query: ', embedding_passage_prefix: 'passage: ' }),
      );
      await at.ingest(FILES);
      await at.settled();
      const semantic = await found('semantic', 'walrus on the ice');
      assert.deepEqual([semantic.first, semantic.warnings], ['walrus.md', '']);
      assert.ok((semantic.scores?.semantic ?? 0) > 0.3);
      assert.equal((await found('hybrid', 'ship enters the harbor')).first, 'harbor.py');
      await found('semantic', 'walrus on the ice');
      assert.equal(server.texts.filter((text) => text === 'query: walrus on the ice').length, 1);
      const passages = server.texts.filter((text) => text.startsWith('passage: '));
      assert.equal(new Set(passages).size, passages.length);
      assert.deepEqual(await spaces().select('kind', 'state', 'dimensions'), [
        { kind: 'provided', state: 'active', dimensions: 32 },
      ]);
    });

    it('embeds nothing again that has not changed: parts of a file, and files that are renamed', async () => {
      const parts = Array.from(
        { length: 6 },
        (_, i) => `# Part ${i}\n\n${`Word${i} and more of it. `.repeat(60)}\n\n`,
      );
      at = await open(configured());
      await at.ingest({ 'long.md': parts.join('') });
      await at.settled();
      const before = server.texts.length;
      assert.ok(before >= 6, `${before} passages`);
      parts.unshift('# New\n\nA part that was not there.\n\n'.repeat(30));
      await at.ingest({ 'long.md': parts.join('') });
      await at.settled();
      const changed = server.texts.slice(before);
      assert.ok(
        changed.length > 0 && changed.every((text) => text.includes('not there')),
        changed.join('\n'),
      );
      const then = server.texts.length;
      await at.ingest({ 'renamed.md': parts.join('') });
      await at.settled();
      await at.host.use('files_delete', { project_id: at.projectId, paths: ['long.md'] });
      await at.settled();
      assert.deepEqual(server.texts.slice(then), []);
      assert.equal((await found('semantic', 'Word3')).first, 'renamed.md');
    });

    it('that is away leaves documents pending and found by words; their vectors follow', async () => {
      server.broken = status(503);
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
      server.broken = status(503);
      assert.match((await found('hybrid', 'something new')).warnings, /degraded/);
    });

    it('that refuses one document fails that one alone', async () => {
      at = await open(configured());
      const poison = 'Poison in the well.';
      server.broken = undefined;
      const refuse = (texts: readonly string[]) => texts.some((text) => text.includes(poison));
      server.refuses = refuse;
      await at.ingest({ ...FILES, 'poison.md': `# Bad\n\n${poison}\n` });
      while ((await found('semantic', 'walrus on the ice')).first !== 'walrus.md') await delay(30);
      const pending = async () =>
        (await at.host.use<{ pending: number }>('projects_index_status', { project_id: at.projectId }))
          .pending;
      while ((await pending()) !== 1) await delay(30);
      assert.equal((await found('keyword', 'poison')).first, 'poison.md');
    });

    it('replaces another without a gap: from the embedded one, to another model, and back', async () => {
      at = await open({ training: false });
      await at.ingest(FILES);
      await at.settled();
      await reopen(configured());
      await inUse('provided', 32);
      assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');

      server.refuses = (_, model) => model === 'm48';
      await reopen(configured({ embedding_model: 'm48' }));
      assert.equal((await found('semantic', 'keeper trims the wick')).first, 'lantern.md');
      assert.equal(server.asked.findLast(({ texts }) => texts[0] === 'keeper trims the wick')?.model, 'm32');
      server.refuses = undefined;
      await inUse('provided', 48);
      assert.equal((await found('semantic', 'the ship enters at night')).first, 'harbor.py');
      assert.equal(
        server.asked.findLast(({ texts }) => texts[0] === 'the ship enters at night')?.model,
        'm48',
      );

      await reopen({ training: false });
      await inUse('hashed', 160);
      const calls = server.asked.length;
      assert.equal((await found('semantic', 'walrus on the ice')).first, 'walrus.md');
      assert.equal(server.asked.length, calls);
    });

    it('that is away at a start still serves its space once it is back', async () => {
      at = await open(configured());
      await at.ingest(FILES);
      await at.settled();
      server.broken = status(503);
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
