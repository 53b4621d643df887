import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { NAME_RESOLVER, startStore, type GraphService, type TestProject } from '../support/store-service.js';

const STORE = 'package store\n\nfunc Get() int { return 1 }\n';

describe('the graph of a project with hostile files', () => {
  let service: GraphService;
  let project: TestProject;
  before(async () => {
    const config = { resolve_timeout_ms: 4000, parse_timeout_ms: 2000, max_bytes: 1024 * 1024 };
    const worker = new URL('../support/faulty-thread.js', import.meta.url);
    service = await startStore({ resolver: { ...NAME_RESOLVER, worker }, config });
  });
  after(() => service.stop());
  beforeEach(async () => (project = await service.createProject()));

  /** Notes of files, by path, after all files are indexed. */
  async function notesOf(files: Record<string, string>): Promise<Record<string, string | undefined>> {
    await project.ingest(files);
    await project.settled();
    const { parts } = await project.graph();
    return Object.fromEntries(parts.map(({ path, note }) => [path, note]));
  }

  it('has a note on a file that ends the parser, alone', async () => {
    const notes = await notesOf({ 'a.go': STORE, 'crashes.go': STORE, 'z.go': STORE });
    assert.match(notes['crashes.go'] ?? '', /parser crashed/u);
    assert.deepEqual([notes['a.go'], notes['z.go']], [undefined, undefined]);
    const graph = await project.graph();
    assert.deepEqual(
      ['a.go#Get', 'crashes.go#Get', 'z.go#Get'].map((id) => graph.node(id) !== undefined),
      [true, false, true],
    );
  });

  it('has a note on a file with which the resolver fails, alone', async () => {
    const notes = await notesOf({ 'a.go': STORE, 'b.go': STORE, 'resolver-throws.go': STORE, 'z.go': STORE });
    assert.match(notes['resolver-throws.go'] ?? '', /could not be built with this file/u);
    const graph = await project.graph();
    assert.notEqual(graph.node('z.go#Get'), undefined);
    assert.equal(graph.node('resolver-throws.go#Get'), undefined);
  });

  it('has a note on a file with which the resolver does not end', async () => {
    const notes = await notesOf({ 'resolver-hangs.go': STORE });
    assert.match(notes['resolver-hangs.go'] ?? '', /could not be built with this file/u);
  });

  it('has all other files before it tries the group at which the resolver hung once more', async () => {
    await project.ingest({ 'a.go': STORE, 'b.go': STORE, 'resolver-hangs.go': STORE, 'z.go': STORE });
    let graph = await project.graph();
    for (; !graph.node('z.go#Get'); graph = await project.graph()) await delay(50);
    assert.deepEqual(graph.parts.map(({ path }) => path).sort(), ['a.go', 'b.go', 'z.go']);
    await project.settled();
    const { parts } = await project.graph();
    const noted = parts.flatMap(({ path, note }) => (note === undefined ? [] : [path]));
    assert.deepEqual(noted, ['resolver-hangs.go']);
  });

  it('tries once more to parse a file that took too long, then has a note on it', async () => {
    const notes = await notesOf({ 'slow.go': STORE, 'endless.go': STORE, 'z.go': STORE });
    assert.match(notes['endless.go'] ?? '', /longer than 2000 ms/u);
    assert.deepEqual([notes['slow.go'], notes['z.go']], [undefined, undefined]);
    const graph = await project.graph();
    assert.notEqual(graph.node('slow.go#Get'), undefined);
    assert.equal(graph.node('endless.go#Get'), undefined);
  });

  it('has a note on a file that takes too many steps to parse, at the first attempt', async () => {
    const notes = await notesOf({ 'complex.go': STORE, 'z.go': STORE });
    assert.match(notes['complex.go'] ?? '', /^The file is too complex: /u);
    assert.equal(notes['z.go'], undefined);
  });

  it('tries once more to resolve a file with which that failed, and keeps what it had of it meanwhile', async () => {
    await notesOf({ 'flaky.go': STORE, 'z.go': STORE });
    await project.ingest({ 'flaky.go': STORE.replace('Get', 'Put') });
    const seen = new Set<string>();
    for (;;) {
      const graph = await project.graph();
      if (graph.node('flaky.go#Put')) break;
      const part = graph.parts.find(({ path }) => path === 'flaky.go');
      const names = part?.symbols.map(({ name }) => name).join();
      seen.add(`${names} ${part?.note}`);
      await delay(50);
    }
    assert.deepEqual(seen, new Set(['flaky.go,Get undefined']));
    await project.settled();
  });

  it('has the rest of a file with deep nesting, long lines, broken text or a NUL', async () => {
    const notes = await notesOf({
      'deep.go': `package a\n\nfunc F() { ${'{'.repeat(10_000)}${'}'.repeat(10_000)} }\n`,
      'deep-calls.go': `package a\n\nvar a = ${'f('.repeat(10_000)}1${')'.repeat(10_000)}\n`,
      'long.go': `package a\n\nvar a = "${'x'.repeat(900_000)}"\n`,
      'broken.go': 'package a\n\nfunc Get() { \ufffd\ufffd \u0001 \ud7ff }\n}}}}',
      'ok.go': STORE,
    });
    assert.deepEqual(Object.values(notes), [undefined, undefined, undefined, undefined, undefined]);
    const graph = await project.graph();
    assert.notEqual(graph.node('ok.go#Get'), undefined);
    const complete = new Map(graph.parts.map((part) => [part.path, part.complete]));
    assert.deepEqual([complete.get('deep.go'), complete.get('ok.go')], [false, true]);
  });
});
