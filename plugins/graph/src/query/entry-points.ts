import { isOffer } from './module-uses.js';
import type { PackageEntries } from './package-entries.js';
import type { ProjectGraph } from './project-graph.js';
import { isTest } from './tests.js';

/** Files with exports for users of the project, and files that tools and frameworks load by name. */
const ENTRY_FILE =
  /(?:^|\/)(?:index|main|__init__|__main__|mod|lib|cli|app|server|setup|manage|wsgi|asgi|conftest|urls|settings|contract|[^/]*\.config|[^/]*\.d)\.[^./]+$|(?:^|\/)(?:bin|scripts|pages|routes|migrations|config)\//i;

/** Files that tools and frameworks load by name, and whose imports say nothing more. */
const LOADED_FILE =
  /(?:^|\/)(?:apps|noxfile|fabfile|gunicorn\.conf)\.py$|(?:^|\/)(?:management\/commands|alembic\/versions)\/[^/]+\.py$/;

/** Languages in which files import names from each other. In other languages all exports count as entry points. */
const IMPORTING = new Set(['typescript', 'javascript', 'python']);

/** Functions that the language, a host or pytest calls by their names. */
const MAIN = /^(?:main|Main|init|setup|teardown|lambda_handler|pytest_\w+)$/;

/** Vue calls the options of a component, and its template the methods among them. */
const OPTIONS = 'vue';

/** The method that a program of C# starts with may be private, unlike that of Java. */
const STATIC = /\bstatic\b/;

/**
 * Entry points of a project: tests, files that are run or loaded by name, `main` functions, what manifests of packages
 * name, and exports of entry files and of the files that they import.
 */
export function entryPoints(graph: ProjectGraph, packages: PackageEntries): number[] {
  const { parts, starts } = graph;
  const isEntry = parts.map(({ path }) => ENTRY_FILE.test(path));
  const offered = offeredBy(graph, [
    ...packages.parts,
    ...isEntry.flatMap((entry, index) => (entry ? [index, ...importedBy(graph, index)] : [])),
  ]);
  const roots = [...packages.nodes, ...offered.nodes];
  for (const [index, { path, language, symbols }] of parts.entries()) {
    const isOffered = offered.parts.has(index) || LOADED_FILE.test(path) || !IMPORTING.has(language ?? '');
    if (isEntry[index] || packages.parts.has(index) || !isImported(graph, index)) roots.push(starts[index]!);
    for (const [i, { exported, kind, name, signature }] of symbols.entries()) {
      const isMain =
        kind === 'function'
          ? MAIN.test(name)
          : language === 'csharp' && kind === 'method' && name === 'Main' && STATIC.test(signature);
      const isOption = language === OPTIONS && kind === 'method';
      const node = starts[index]! + i;
      if (isTest(graph, node) || isMain || isOption || (isOffered && exported && i > 0)) roots.push(node);
    }
  }
  return roots;
}

/** What these parts offer to their importers: all exports of some parts, and single symbols of others. */
export function offeredBy(
  graph: ProjectGraph,
  of: Iterable<number>,
): { readonly parts: ReadonlySet<number>; readonly nodes: readonly number[] } {
  const { rows, partOf, starts } = graph;
  const parts = new Set(of);
  const nodes: number[] = [];
  for (const part of parts) {
    const module = starts[part]!;
    for (let edge = rows.out[module]!; edge < rows.out[module + 1]!; edge++) {
      if (!isOffer(graph, edge)) continue;
      const target = rows.targets[edge]!;
      if (graph.isModule(target)) parts.add(partOf[target]!);
      else for (const node of graph.contents(target)) if (graph.symbol(node).exported) nodes.push(node);
    }
  }
  return { parts, nodes };
}

/** Parts that a file imports. */
function importedBy(graph: ProjectGraph, part: number): number[] {
  const { rows, partOf } = graph;
  const module = graph.starts[part]!;
  const found: number[] = [];
  for (let edge = rows.out[module]!; edge < rows.out[module + 1]!; edge++) {
    const target = rows.targets[edge]!;
    if (graph.isModule(target)) found.push(partOf[target]!);
  }
  return found;
}

/** True when another file uses a symbol of this one. */
function isImported({ rows, partOf, starts }: ProjectGraph, part: number): boolean {
  for (let i = rows.in[starts[part]!]!; i < rows.in[starts[part + 1]!]!; i++)
    if (partOf[rows.sources[rows.incoming[i]!]!] !== part) return true;
  return false;
}
