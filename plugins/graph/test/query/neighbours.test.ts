import assert from 'node:assert/strict';
import {
  ProjectGraph,
  neighboursOf,
  type FileGraph,
  type GraphEdge,
} from '@service-mcp/plugin-graph/internals';

/** A file with functions of ten lines each. */
function file(
  path: string,
  names: readonly string[],
  calls: ReadonlyArray<readonly [number, string, number?]>,
): FileGraph {
  const shared = { signature: '', exported: true, test: false };
  const module = {
    ...shared,
    name: path,
    qualifiedName: '',
    kind: 'module' as const,
    startLine: 1,
    endLine: 100,
    parent: null,
  };
  const symbols = names.map((name, at) => ({
    ...shared,
    name,
    qualifiedName: name,
    kind: 'function' as const,
    startLine: 10 * at + 1,
    endLine: 10 * at + 10,
    parent: 0,
  }));
  const edges = calls.map(([source, target, confidence = 1]): GraphEdge => ({
    source,
    target,
    kind: 'calls',
    line: 1,
    confidence,
    reason: 'scope',
  }));
  return {
    path,
    language: 'typescript',
    symbols: [module, ...symbols],
    edges,
    externals: [],
    unresolved: [],
    complete: true,
  };
}

describe('neighbours of code', () => {
  const users = Array.from({ length: 30 }, (_none, at) => file(`u${at}.ts`, ['u'], [[1, 'a.ts#popular']]));
  const graph = ProjectGraph.from([
    file(
      'a.ts',
      ['first', 'second', 'popular'],
      [
        [1, 'b.ts#used'],
        [2, 'b.ts#guessed', 0.3],
        [1, 'a.ts#second'],
      ],
    ),
    file('b.ts', ['used', 'guessed', 'user'], [[3, 'a.ts#first']]),
    file(
      'c.ts',
      ['caller'],
      [
        [1, 'a.ts#popular'],
        [1, 'b.ts#used'],
      ],
    ),
    ...users,
  ]);
  const found = (lines: Parameters<typeof neighboursOf>[1], limit = 10) =>
    neighboursOf(graph, lines, limit).map(({ id, relation, of }) => `${id} ${relation} ${of}`);

  it('are what lines call and what calls them, certain ones alone', () => {
    assert.deepEqual(found([{ path: 'a.ts', startLine: 1, endLine: 10 }]), [
      'a.ts#second used_by a.ts#first',
      'b.ts#used used_by a.ts#first',
      'b.ts#user uses a.ts#first',
    ]);
    assert.deepEqual(found([{ path: 'a.ts', startLine: 12, endLine: 13 }]), ['a.ts#first uses a.ts#second']);
  });

  it('are outside the lines, few, and neither what everything uses nor its users', () => {
    assert.deepEqual(found([{ path: 'a.ts', startLine: 1, endLine: 20 }], 1), [
      'b.ts#used used_by a.ts#first',
    ]);
    assert.deepEqual(found([{ path: 'a.ts', startLine: 21, endLine: 30 }]), []);
    assert.deepEqual(found([{ path: 'c.ts', startLine: 1, endLine: 10 }]), ['b.ts#used used_by c.ts#caller']);
    assert.deepEqual(found([{ path: 'absent.ts', startLine: 1, endLine: 5 }]), []);
  });

  it('are all users of a symbol that is asked for, before anything else, with where they use it', () => {
    const lines = [{ path: 'a.ts', startLine: 1, endLine: 30 }];
    const asked = neighboursOf(graph, lines, 40, new Set(['popular']));
    assert.equal(asked.filter(({ of }) => of === 'a.ts#popular').length, users.length + 1);
    assert.deepEqual(
      asked.slice(0, users.length + 1).map(({ relation, usedAt }) => [relation, usedAt]),
      Array.from({ length: users.length + 1 }, () => ['uses', 1]),
    );
    assert.equal(asked.at(-1)?.of, 'a.ts#first');
  });

  it('are the users of a symbol that is asked for also before one that all of the lines use', () => {
    const names = Array.from({ length: 8 }, (_none, at) => `of${at}`);
    const all = ProjectGraph.from([
      file('a.ts', [...names, 'asked'], names.map((_name, at) => [at + 1, 'b.ts#shared'] as const)),
      file('b.ts', ['shared', 'user'], [[2, 'a.ts#asked', 0.5], [1, 'a.ts#asked', 0.5]]),
    ]); // prettier-ignore
    const lines = [{ path: 'a.ts', startLine: 1, endLine: 90 }];
    const asked = neighboursOf(all, lines, 10, new Set(['asked']));
    assert.deepEqual(
      asked.map(({ id, relation, of, usedAt }) => [id, relation, of, usedAt]),
      [
        ['b.ts#shared', 'uses', 'a.ts#asked', 1],
        ['b.ts#user', 'uses', 'a.ts#asked', 1],
      ],
    );
    assert.deepEqual(
      neighboursOf(all, lines, 10).map(({ usedAt }) => usedAt),
      [undefined, undefined],
    );
  });

  it('are found among any number of users', () => {
    const names = Array.from({ length: 130_000 }, (_none, at) => `u${at}`);
    const all = ProjectGraph.from([
      file('a.ts', ['asked'], []),
      file('u.ts', names, names.map((_name, at) => [at + 1, 'a.ts#asked'] as const)),
    ]); // prettier-ignore
    const lines = [{ path: 'a.ts', startLine: 1, endLine: 10 }];
    assert.equal(neighboursOf(all, lines, 3, new Set(['asked'])).length, 3);
  });
});
