import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Log } from '@service-mcp/core';
import { freshDatabase, rejects, type TestDatabase } from '@service-mcp/core/testing';
import {
  createGenerations,
  createIndexCheck,
  createIndexHome,
  globToRegExp,
  isRefusedExpression,
  literal,
} from '@service-mcp/plugin-search/internals';
import { RE2JS } from 're2js';
import { AT_REST, newSite, site, type Site } from './harness.js';

const MODES = ['hybrid', 'semantic', 'keyword', 'pattern'];
const BLAME_EVERY_MS = 10_000;
const FILES = ['a', 'b', '-', 'x-y', 'src/a', '[', '^', '&', '~', '!', 'é', 'List<T>.md'];

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}a${close.repeat(depth)}`;

describe('what is refused in a request', () => {
  let database: TestDatabase;
  let at: Site;
  const messages: string[] = [];
  const keep = (_fields: object, message: string) => void messages.push(message);
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };

  /** A second look at the indexes of the service, with a log that keeps its messages. */
  function openCheck() {
    const clock = { now: () => new Date() };
    const generations = createGenerations(at.host.database, clock, join(database.dataDir, 'lancedb'));
    const options = { uri: undefined, moved: false, log, dataDir: database.dataDir };
    return createIndexCheck(generations, createIndexHome(at.host.database, generations, options), [], log);
  }
  async function openTables() {
    const health = await openCheck().read(at.workspaceId);
    assert.ok(health.healthy && health.tables, 'the index is not healthy');
    return health;
  }
  const found = (mode: string, args: object) => at.search(mode, { query: 'walrus', limit: 50, ...args });

  before(async () => {
    database = await freshDatabase('sqlite');
    at = await site({ database, config: AT_REST });
    await at.ingest(Object.fromEntries(FILES.map((path) => [path, `The walrus sleeps on ${path}.`])));
    await at.settled();
  });
  after(async () => {
    await at.stop();
    await database.drop();
  });
  beforeEach(() => void messages.splice(0));
  afterEach(async () => {
    for (const mode of MODES) {
      const { index, warnings } = await found(mode, {});
      assert.deepEqual([index.state, index.generation], ['ready', 1], mode);
      assert.doesNotMatch(warnings.join(), /repair/, mode);
    }
  });

  it('globs: INVALID_ARGUMENT in every mode', async () => {
    const globs = [
      nested(9, '{', '}'),
      nested(300, '{', '}'),
      '*a'.repeat(500),
      '**/'.repeat(300),
      '?'.repeat(51),
      '[z-a]',
      '[a--b]',
      'a[b',
      '{a',
    ];
    for (const mode of MODES)
      for (const path_glob of globs)
        await rejects(found(mode, { filters: { path_glob } }), 'INVALID_ARGUMENT', /path_glob/);
  });

  it('patterns: INVALID_ARGUMENT with the reason', async () => {
    const patterns = [
      nested(1_200, '(', ')'),
      '((a{100}){100}){100}',
      'a{1001}',
      '(?=a)b',
      String.raw`(a)\1`,
      String.raw`\p{Nothing}`,
      '[z-a]',
      '(a',
      '*',
    ];
    for (const query of patterns)
      await rejects(found('pattern', { query }), 'INVALID_ARGUMENT', /query.*position/s);
  });

  it('what the index itself refuses is known as such, and other failures are not', async () => {
    const { tables } = await openTables();
    assert.ok(tables);
    const match = (source: string) => tables.documents.countRows(`regexp_like(path, ${literal(source)})`);
    const sources = [nested(300, '(', ')'), '((a{100}){100}){100}', '(', '[z-a]', String.raw`\p{Nothing}`];
    for (const source of sources) {
      const error: unknown = await match(source).catch((thrown: unknown) => thrown);
      assert.ok(isRefusedExpression(error), `${source}: ${String(error)}`);
    }
    const other: unknown = await tables.documents.countRows('missing = 1').catch((error: unknown) => error);
    assert.ok(other instanceof Error && !isRefusedExpression(other), String(other));
  });

  it('globs match in the index as they match rows', async () => {
    const { tables } = await openTables();
    assert.ok(tables);
    for (const glob of [
      '[+--]',
      '[--b]',
      '[!-x]',
      '[a-c--b]',
      '[&&a]',
      '[~~]',
      '[^&]',
      '[[a]',
      '[!b-]',
      '*[-]*',
      'List<T>.md',
      '*[<]*',
    ]) {
      const rows = RE2JS.compile(globToRegExp(glob));
      const expected = FILES.filter((path) => rows.test(path));
      const matched = (await tables.documents
        .query()
        .where(`regexp_like(path, ${literal(globToRegExp(glob))})`)
        .toArray()) as Array<{ path: string }>;
      assert.deepEqual(matched.map(({ path }) => path).toSorted(), expected.toSorted(), glob);
    }
  });

  it('an index is blamed and read through once in ten seconds, whoever fails on it', async () => {
    const other = await newSite(at.host);
    await other.ingest({ 'a.md': 'The walrus sleeps.' });
    await other.settled();
    const check = openCheck();
    const startedAt = performance.now();
    for (const { workspaceId } of [at, other]) {
      const health = await check.read(workspaceId);
      assert.ok(health.healthy && health.tables);
      const { place } = health;
      for (let n = 0; n < 50; n++)
        assert.equal((await check.blame(new Error('of a test'), place)).healthy, true);
      await Promise.all(Array.from({ length: 50 }, () => check.blame(new Error('of a test'), place)));
    }
    const atMost = 2 * (1 + Math.floor((performance.now() - startedAt) / BLAME_EVERY_MS));
    assert.ok(messages.length >= 2 && messages.length <= atMost, messages.join('\n'));
  });
});
