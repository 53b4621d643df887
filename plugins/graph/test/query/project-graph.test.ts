import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ProjectGraph, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { GraphFile, anyFiles } from '../support/graph-files.js';

const KINDS = ['imports', 'calls', 'references', 'extends', 'implements', 'contains'];

/** Everything a graph says, by id. */
function described(graph: ProjectGraph): unknown {
  const { rows, size } = graph;
  const nodes = Array.from({ length: size }, (_, node) => node);
  const parent = (node: number) => graph.parents[node] ?? -1;
  const edge = (edge: number) => [
    graph.id(rows.sources[edge] ?? -1),
    graph.id(rows.targets[edge] ?? -1),
    KINDS[rows.kinds[edge] ?? -1],
    (rows.confidences[edge] ?? 0) / 100,
    rows.lines[edge],
  ];
  return {
    nodes: nodes.map((node) => [graph.id(node), parent(node) < 0 ? null : graph.id(parent(node))]),
    out: nodes.map((node) => range(rows.out[node], rows.out[node + 1]).map(edge)),
    in: nodes.map((node) => range(rows.in[node], rows.in[node + 1]).map((i) => edge(rows.incoming[i] ?? -1))),
  };
}

/** The same, straight from the files. */
function expected(files: readonly FileGraph[]): unknown {
  const idOf = ({ path, symbols }: FileGraph, index: number) =>
    index === 0 ? path : `${path}#${symbols[index]?.qualifiedName}`;
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const nodes = sorted.flatMap((file) =>
    file.symbols.map(({ parent }, index) => [
      idOf(file, index),
      index === 0 ? null : idOf(file, parent ?? 0),
    ]),
  );
  const ids = nodes.map(([id]) => id);
  const edges = sorted.flatMap((file) =>
    [...file.edges]
      .sort((a, b) => a.source - b.source)
      .filter(({ target }) => ids.includes(target))
      .map((edge) => [idOf(file, edge.source), edge.target, edge.kind, edge.confidence, edge.line]),
  );
  return {
    nodes,
    out: ids.map((id) => edges.filter(([source]) => source === id)),
    in: ids.map((id) => edges.filter(([, target]) => target === id)),
  };
}

function range(from = 0, to = 0): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

describe('the graph of a project as rows', () => {
  it('holds the symbols and edges of all files, and leaves out edges to symbols that are gone', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        assert.deepEqual(described(ProjectGraph.from(files)), expected(files));
      }),
      { numRuns: 100 },
    );
  });

  it('equals a fresh build after any changes', () => {
    fc.assert(
      fc.property(anyFiles, anyFiles, fc.array(fc.nat(5)), (before, written, removals) => {
        const removed = removals.map((number) => `d${number % 2}/f${number}.ts`);
        const after = new Map(before.map((file) => [file.path, file]));
        for (const path of removed) after.delete(path);
        for (const file of written) after.set(file.path, file);
        const graph = ProjectGraph.from(before);
        const first = described(graph);
        assert.deepEqual(described(graph.replace(written, removed)), expected([...after.values()]));
        assert.deepEqual(described(graph), first);
      }),
      { numRuns: 100 },
    );
  });

  it('forgets the ids of symbols that are gone', () => {
    const version = (number: number) => {
      const file = new GraphFile('a.ts');
      for (let i = 0; i < 1000; i++) file.edge(file.add(`f${number}x${i}`), 'b.ts#g');
      return file.graph;
    };
    const other = new GraphFile('b.ts');
    other.add('g');
    let graph = ProjectGraph.from([version(0), other.graph]);
    const { bytes } = graph;
    for (let number = 1; number <= 40; number++) graph = graph.replace([version(number)]);
    assert.deepEqual(described(graph), expected([version(40), other.graph]));
    assert.equal(graph.node('a.ts#f1x1'), undefined);
    assert.ok(graph.bytes < 2 * bytes);
  });

  it('estimates its memory', () => {
    const small = new GraphFile('a.ts');
    const large = new GraphFile('a.ts');
    for (let i = 0; i < 100; i++) large.edge(large.add(`f${i}`), 'a.ts');
    assert.ok(ProjectGraph.from([large.graph]).bytes > 50 * ProjectGraph.from([small.graph]).bytes);
  });
});
