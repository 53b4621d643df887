import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { isManifest, resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './source-file.js';

const KINDS = ['calls', 'imports', 'extends', 'implements', 'references'] as const;
const SECTIONS = [...KINDS, 'externals', 'unresolved'] as const;
type Section = (typeof SECTIONS)[number];

/**
 * A project with the edges of its graph, in a text of
 *
 *     === title
 *     --- path
 *     text of the file
 *     --- calls
 *     caller: callee callee
 *     --- imports, extends, implements, references, externals, unresolved
 *     …
 *
 * A section names all edges of its kind; `externals` are calls, as `caller: module.name`, and `unresolved` names, as
 * `source: name`. A symbol is named by its qualified name or the end of it, after its path or the end of that and `#`
 * where several have that name; a module by the end of its path.
 */
export interface Fixture {
  /** `file: title`. */
  readonly name: string;
  readonly title: string;
  /** Sources and manifests, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly expected: ReadonlyMap<Section, readonly Line[]>;
}

interface Line {
  readonly source: string;
  readonly targets: readonly string[];
}

/** The fixtures in `fixtures/<folder>`, by file. */
export function readFixtures(folder: string): Map<string, Fixture[]> {
  const directory = new URL(`../../fixtures/${folder}/`, import.meta.url);
  return new Map(
    readdirSync(directory)
      .sort()
      .map((file) => {
        const name = file.replace(/\.txt$/, '');
        return [name, fixturesOf(name, readFileSync(new URL(file, directory), 'utf8'))];
      }),
  );
}

function fixturesOf(file: string, text: string): Fixture[] {
  return sectionsOf(text).map(({ title, sections }) => {
    const files = new Map<string, string>();
    const expected = new Map<Section, readonly Line[]>();
    for (const [name, content] of sections) {
      const section = SECTIONS.find((each) => each === name);
      if (section) expected.set(section, linesOf(content));
      else files.set(name, content);
    }
    return { name: `${file}: ${title}`, title, files, expected };
  });
}

/** Texts by the name after `---`, for each title after `===`; a text before the first name is named `''`. */
export function sectionsOf(text: string): Array<{ title: string; sections: Map<string, string> }> {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const [first = '', ...rest] = part.slice(end + 1).split(/^--- (.*)\n/m);
      const sections = new Map(first.trim() === '' ? [] : [['', first]]);
      for (let at = 0; at < rest.length; at += 2) sections.set(rest[at] ?? '', rest[at + 1] ?? '');
      return { title: part.slice(0, end), sections };
    });
}

export function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [source = '', targets = ''] = line.split(/: /);
      // `operator int` is one name.
      return { source, targets: targets.trim().split(/(?<!\boperator)\s+/) };
    });
}

export async function resolveFixture({ files }: Pick<Fixture, 'files'>): Promise<FileGraph[]> {
  const sources = await Promise.all([...files].map(([path, text]) => sourceFile(path, text)));
  const manifests = [...files].flatMap(([path, text]) => (isManifest(path) ? [{ path, text }] : []));
  return resolveProject(
    sources.filter(({ code }) => code),
    manifests,
  );
}

/** Declares a test for each fixture of a folder: its graphs have the edges of its sections, and no others. */
export function describeFixtures(folder: string): void {
  for (const [file, fixtures] of readFixtures(folder)) {
    describe(file, () => {
      for (const fixture of fixtures) {
        it(fixture.title, async () => {
          const graphs = await resolveFixture(fixture);
          for (const [section, lines] of fixture.expected)
            assert.deepEqual(edgesOf(graphs, section), expectedEdges(graphs, section, lines), section);
        });
      }
    });
  }
}

/** `source -> target` of all edges of a kind, sorted. */
export function edgesOf(graphs: readonly FileGraph[], section: Section): string[] {
  const lines = graphs.flatMap((graph) => {
    const edges: ReadonlyArray<readonly [source: number, target: string]> =
      section === 'externals'
        ? graph.externals
            .filter(({ kind }) => kind === 'calls')
            .map(({ source, module, name }) => [source, name === undefined ? module : `${module}.${name}`])
        : section === 'unresolved'
          ? graph.unresolved.map(({ source, name }) => [source, name])
          : graph.edges.filter(({ kind }) => kind === section).map(({ source, target }) => [source, target]);
    return edges.map(([source, target]) => `${idOf(graph, source)} -> ${target}`);
  });
  return [...new Set(lines)].sort();
}

/** The same for the lines of a section. */
export function expectedEdges(
  graphs: readonly FileGraph[],
  section: Section,
  lines: readonly Line[],
): string[] {
  const find = finder(graphs);
  const isInside = KINDS.some((kind) => kind === section);
  return lines
    .flatMap(({ source, targets }) =>
      targets.map((target) => `${find(source)} -> ${isInside ? find(target) : target}`),
    )
    .sort();
}

function idOf(graph: FileGraph, symbol: number): string {
  return symbol === 0 ? graph.path : `${graph.path}#${graph.symbols[symbol]?.qualifiedName}`;
}

/** Finds the id of a symbol or a module by the end of its name. */
function finder(graphs: readonly FileGraph[]): (name: string) => string {
  const ids = graphs.flatMap((graph) =>
    graph.symbols.map(({ qualifiedName }, at) => ({
      id: idOf(graph, at),
      path: graph.path,
      name: at === 0 ? undefined : qualifiedName,
    })),
  );
  const endsWith = (text: string, end: string, separator: string): boolean =>
    text === end || text.endsWith(`${separator}${end}`);
  return (wanted) => {
    const [, before = '', after] = /^([^#]*)(?:#(.*))?$/s.exec(wanted) ?? [];
    const matches = ids.filter(({ path, name }) => {
      if (name === undefined) return after === undefined && endsWith(path, before, '/');
      if (after === undefined) return endsWith(name, before, '.');
      return endsWith(path, before, '/') && endsWith(name, after, '.');
    });
    // The whole name before the end of one, then the outermost symbol: a class before its constructor.
    const exact = matches.filter(({ id, name }) => id === wanted || name === (after ?? before));
    const whole = exact.filter(({ id }) => id === wanted);
    const depth = ({ name = '' }): number => name.split('.').length;
    const outermost = matches.filter((each) => depth(each) === Math.min(...matches.map(depth)));
    const [only, another] = [whole, exact].find(({ length }) => length > 0) ?? outermost;
    assert.ok(only && !another, `${wanted} names ${matches.map(({ id }) => id).join(', ') || 'nothing'}`);
    return only.id;
  };
}
