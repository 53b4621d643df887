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
});
