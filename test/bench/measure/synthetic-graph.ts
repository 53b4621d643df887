import type { FileGraph, GraphEdge, GraphSymbol } from '@service-mcp/plugin-graph/internals';

const FUNCTIONS_A_FILE = 20;

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A project of functions that call each other, five times as many calls as functions. Scale-free: every other call goes where
 * an earlier one went, so that few functions have most callers.
 */
export function scaleFreeProject(calls: number): FileGraph[] {
  const random = randomFrom(1);
  const functions = Math.floor(calls / 5);
  const ends: number[] = [];
  const edges = Array.from({ length: functions }, () => new Set<number>());
  while (ends.length < calls) {
    const source = Math.floor(random() * functions);
    const popular = ends.length > 0 && random() < 0.5;
    const target = popular
      ? (ends[Math.floor(random() * ends.length)] ?? 0)
      : Math.floor(random() * functions);
    const known = edges[source];
    if (known === undefined || source === target || known.has(target)) continue;
    known.add(target);
    ends.push(target);
  }
  const files = Math.ceil(functions / FUNCTIONS_A_FILE);
  return Array.from({ length: files }, (_, file) => fileOf(file, edges));
}

/** The id of a function by its number. */
export function idOf(number: number): string {
  return `${pathOf(Math.floor(number / FUNCTIONS_A_FILE))}#f${number}`;
}

function pathOf(file: number): string {
  return `src/part${file % 40}/file${file}.ts`;
}

function fileOf(file: number, edges: ReadonlyArray<ReadonlySet<number>>): FileGraph {
  const first = file * FUNCTIONS_A_FILE;
  const inside = edges.slice(first, first + FUNCTIONS_A_FILE);
  const symbols = [
    symbol(`file${file}.ts`, '', 'module'),
    ...inside.map((_, i) => symbol(`f${first + i}`, `f${first + i}`, 'function')),
  ];
  const calls = inside.flatMap((targets, i) =>
    Array.from(targets, (target): GraphEdge => {
      return {
        source: i + 1,
        target: idOf(target),
        kind: 'calls',
        line: i + 1,
        confidence: 1,
        reason: 'scope',
      };
    }),
  );
  const path = pathOf(file);
  return {
    path,
    language: 'typescript',
    symbols,
    edges: calls,
    externals: [],
    unresolved: [],
    complete: true,
  };
}

function symbol(name: string, qualifiedName: string, kind: GraphSymbol['kind']): GraphSymbol {
  const parent = kind === 'module' ? null : 0;
  const signature = `function ${name}(input: Input): Output`;
  return {
    name,
    qualifiedName,
    kind,
    startLine: 1,
    endLine: 2,
    signature,
    parent,
    exported: true,
    test: false,
  };
}
