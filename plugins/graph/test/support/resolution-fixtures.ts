import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './source-file.js';

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const KINDS = ['calls', 'imports', 'references', 'extends', 'implements'] as const;

/**
 * A project with the edges that it must have, in a text of
 *
 *     === title
 *     --- path
 *     text of the file
 *     --- calls           (imports, references, extends, implements: edges of that kind, all of them)
 *     Caller.name: Callee.name Other.name~2
 *     --- externals
 *     Caller.name: module.name
 *     --- unresolved
 *     Caller.name: name
 *
 * A symbol is its qualified name, with its directory or file in front where two files have one of that name:
 * `a/Node.visit`, `One.cs/Node`. A module is its path.
 */
export interface ResolutionFixture {
  readonly title: string;
  readonly files: ReadonlyMap<string, string>;
  readonly expected: ReadonlyMap<string, string>;
}

const SECTIONS: ReadonlySet<string> = new Set([...KINDS, 'externals', 'unresolved']);

/** The fixtures in `fixtures/<folder>`, by file. */
export function readFixtures(folder: string): Map<string, ResolutionFixture[]> {
  const directory = new URL(`${folder}/`, FIXTURES);
  const names = readdirSync(directory).sort();
  return new Map(
    names.map((name) => [name.replace(/\.txt$/, ''), parse(readFileSync(new URL(name, directory), 'utf8'))]),
  );
}

function parse(text: string): ResolutionFixture[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...sections] = part.split(/^--- /m);
      const files = new Map<string, string>();
      const expected = new Map<string, string>();
      for (const section of sections) {
        const end = section.indexOf('\n');
        const name = section.slice(0, end);
        (SECTIONS.has(name) ? expected : files).set(name, section.slice(end + 1));
      }
      return { title: head.trim(), files, expected };
    });
}

/** `caller -> callee`, sorted. */
function edges(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [caller = '', callees = ''] = line.split(/:(?: |$)/);
      return callees.split(/\s+/).flatMap((callee) => (callee === '' ? [] : [`${caller} -> ${callee}`]));
    })
    .sort();
}

class Labels {
  readonly #paths = new Map<string, Set<string>>();

  constructor(graphs: readonly FileGraph[]) {
    for (const { path, symbols } of graphs) {
      for (const { qualifiedName } of symbols) {
        const paths = this.#paths.get(qualifiedName) ?? new Set();
        this.#paths.set(qualifiedName, paths.add(path));
      }
    }
  }

  of(id: string): string {
    const [path = '', name] = id.split('#');
    if (name === undefined || name === '') return path;
    const paths = [...(this.#paths.get(name) ?? [])];
    if (paths.length < 2) return name;
    const directory = (each: string): string => each.slice(0, Math.max(each.lastIndexOf('/'), 0));
    const isAlone = paths.filter((each) => directory(each) === directory(path)).length === 1;
    return `${isAlone && directory(path) !== '' ? directory(path) : path}/${name}`;
  }
}

function found(graphs: readonly FileGraph[], section: string): string[] {
  const labels = new Labels(graphs);
  const lines = graphs.flatMap((graph) => {
    const label = (source: number): string =>
      labels.of(`${graph.path}#${graph.symbols[source]?.qualifiedName}`);
    if (section === 'externals') {
      return graph.externals.flatMap(({ kind, source, module, name }) =>
        kind === 'calls' ? [`${label(source)} -> ${[module, name].filter(Boolean).join('.')}`] : [],
      );
    }
    if (section === 'unresolved')
      return graph.unresolved.map(({ source, name }) => `${label(source)} -> ${name}`);
    return graph.edges.flatMap(({ kind, source, target }) =>
      kind === section ? [`${label(source)} -> ${labels.of(target)}`] : [],
    );
  });
  return [...new Set(lines)].sort();
}

/** Resolves a fixture. */
export async function resolveFixture({ files }: ResolutionFixture): Promise<FileGraph[]> {
  const sources = await Promise.all([...files].map(([path, text]) => sourceFile(path, text)));
  return resolveProject(
    sources.filter(({ language }) => language !== null),
    [...files].map(([path, text]) => ({ path, text })),
  );
}

/** Declares a test for each fixture of a folder. */
export function describeFixtures(folder: string): void {
  for (const [name, fixtures] of readFixtures(folder)) {
    describe(name, () => {
      for (const fixture of fixtures) {
        it(fixture.title, async () => {
          const graphs = await resolveFixture(fixture);
          for (const [section, lines] of fixture.expected) {
            assert.deepEqual(found(graphs, section), edges(lines), section);
          }
        });
      }
    });
  }
}
