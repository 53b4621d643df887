import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import {
  resolveProject,
  type FileGraph,
  type GraphEdge,
  type Manifest,
} from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './source-file.js';

/**
 * A project with the edges that a reader finds in it. Fixtures are texts of parts:
 *
 *     What it shows.
 *     --- src/a.rb
 *     text of the file
 *     --- calls
 *     caller: callee callee
 *     --- imports, extends, implements, references, unresolved
 *     …
 *
 * A symbol is named by the end of its qualified name, after the end of its path and `#` where others have that name; a
 * module by the end of its path. `extends` and `implements` count as one. References are not complete: those
 * listed must be there. Unresolved calls are names.
 */
export interface Fixture {
  readonly name: string;
  /** Source files by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly graphs: readonly FileGraph[];
  readonly expected: ReadonlyMap<string, string>;
}

const SECTIONS = new Set(['calls', 'imports', 'extends', 'implements', 'references', 'unresolved']);
const MANIFESTS = /(?:^|\/)composer\.json$/;

export async function readFixtures(directory: URL): Promise<Fixture[]> {
  const names = readdirSync(directory).filter((name) => name.endsWith('.txt'));
  return Promise.all(
    names.sort().map(async (name) => {
      const [, ...parts] = readFileSync(new URL(name, directory), 'utf8').split(/^--- (.*)\n/m);
      const sections = new Map<string, string>();
      for (let at = 0; at < parts.length; at += 2) sections.set(parts[at] ?? '', parts[at + 1] ?? '');
      const texts = [...sections].filter(([title]) => !SECTIONS.has(title));
      const manifests: Manifest[] = texts
        .filter(([path]) => MANIFESTS.test(path))
        .map(([path, text]) => ({ path, text }));
      const sources = texts.filter(([path]) => !MANIFESTS.test(path));
      const files = await Promise.all(sources.map(([path, text]) => sourceFile(path, text)));
      const expected = new Map([...sections].filter(([title]) => SECTIONS.has(title)));
      return { name, texts: new Map(sources), graphs: resolveProject(files, manifests), expected };
    }),
  );
}

export interface Score {
  readonly expected: number;
  readonly found: number;
  readonly correct: number;
  /** `- ` for edges that are missing, `+ ` for edges that should not be there. */
  readonly differences: readonly string[];
}

/** Compares the edges of a fixture with those expected. */
export function score({ graphs, expected, name }: Fixture): Score {
  const find = finder(graphs);
  const wanted = new Set<string>();
  const listed = new Set<string>();
  for (const [section, lines] of expected) {
    if (section === 'unresolved') continue;
    for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
      const [source = '', targets = ''] = line.split(/: /);
      for (const target of targets.trim().split(/\s+/)) {
        const edge = `${find(source)} ${kindOf(section)} ${find(target)}`;
        if (section === 'references') listed.add(edge);
        else wanted.add(edge);
      }
    }
  }
  const all = graphs.flatMap((graph) =>
    graph.edges.map((edge) => `${idOf(graph, edge.source)} ${kindOf(edge.kind)} ${edge.target}`),
  );
  const found = all.filter((edge) => !edge.includes(' references ') || listed.has(edge));
  for (const edge of listed) wanted.add(edge);
  const actual = new Set(found);
  const missing = [...wanted].filter((edge) => !actual.has(edge));
  const extra = [...actual].filter((edge) => !wanted.has(edge));
  return {
    expected: wanted.size,
    found: actual.size,
    correct: actual.size - extra.length,
    differences: [
      ...missing.map((edge) => `- ${name}: ${edge}`),
      ...extra.map((edge) => `+ ${name}: ${edge}`),
    ],
  };
}

/** `caller: name` of each unresolved call that a fixture lists and the graph has not counted. */
export function uncounted({ graphs, expected }: Fixture): string[] {
  const find = finder(graphs);
  const counted = new Set(
    graphs.flatMap((graph) => graph.unresolved.map(({ source, name }) => `${idOf(graph, source)}: ${name}`)),
  );
  return (expected.get('unresolved') ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [source = '', names = ''] = line.split(/: /);
      return names.split(/\s+/).map((each) => `${find(source)}: ${each}`);
    })
    .filter((each) => !counted.has(each));
}

function kindOf(kind: string): GraphEdge['kind'] {
  return kind === 'implements' ? 'extends' : (kind as GraphEdge['kind']); // sections are named for kinds
}

function idOf(graph: FileGraph, symbol: number): string {
  return symbol === 0 ? graph.path : `${graph.path}#${graph.symbols[symbol]?.qualifiedName}`;
}

/** Finds the id of a symbol by the end of its name. */
function finder(graphs: readonly FileGraph[]): (name: string) => string {
  const ids = graphs.flatMap((graph) =>
    graph.symbols.map((each, index) => ({
      id: idOf(graph, index),
      path: graph.path,
      name: each.qualifiedName,
      index,
    })),
  );
  const endsWith = (text: string, end: string, separator: string): boolean =>
    text === end || text.endsWith(`${separator}${end}`);
  return (wanted) => {
    const [before = '', after] = wanted.split('#');
    const matches = ids.filter(({ path, name, index }) =>
      after === undefined
        ? index === 0
          ? endsWith(path, before, '/')
          : endsWith(name, before, '.')
        : index > 0 && endsWith(path, before, '/') && endsWith(name, after, '.'),
    );
    const exact = matches.filter(({ name, path }) => name === (after ?? before) || path === before);
    const depths = matches.map(({ name }) => name.split('.').length);
    // The outermost symbol of a name: a class before its constructor.
    const outermost = matches.filter((_, at) => depths[at] === Math.min(...depths));
    const [only, another] = exact.length > 0 ? exact : outermost;
    assert.ok(only && !another, `${wanted} names ${matches.map(({ id }) => id).join(', ') || 'nothing'}`);
    return only.id;
  };
}

/** Asserts the share of edges that are right, and of edges that are found. */
export function assertScores(
  fixtures: readonly Fixture[],
  least: { readonly edges: number; readonly precision: number; readonly recall: number },
): void {
  const scores = fixtures.map(score);
  const sum = (of: (each: Score) => number): number => scores.reduce((total, each) => total + of(each), 0);
  const [expected, found, correct] = [
    sum((each) => each.expected),
    sum((each) => each.found),
    sum((each) => each.correct),
  ];
  const differences = scores.flatMap((each) => each.differences).join('\n');
  assert.ok(expected >= least.edges, `${expected} edges are expected`);
  assert.ok(correct / found >= least.precision, `precision ${correct / found}\n${differences}`);
  assert.ok(correct / expected >= least.recall, `recall ${correct / expected}\n${differences}`);
}
