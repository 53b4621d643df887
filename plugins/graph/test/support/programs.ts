import { readFileSync } from 'node:fs';
import { resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './source-file.js';

/**
 * Programs with what their graphs hold:
 *
 *     === title
 *     --- path
 *     text
 *     --- calls
 *     path#caller: path#callee path#callee
 *
 * Sections of edges (`calls`, `imports`, `extends`, `implements`, `references`) name all edges of that kind. `externals`
 * (`module.name` of calls) and `unresolved` (names of calls) name all of the callers that they list.
 */
export interface Program {
  readonly title: string;
  readonly files: ReadonlyMap<string, string>;
  readonly expected: ReadonlyMap<Section, readonly string[]>;
}

export const SECTIONS = [
  'calls',
  'imports',
  'extends',
  'implements',
  'references',
  'externals',
  'unresolved',
] as const;
export type Section = (typeof SECTIONS)[number];

export function readPrograms(path: URL): Program[] {
  const parts = readFileSync(path, 'utf8').split(/^=== /m).slice(1);
  return parts.map((part) => {
    const title = part.slice(0, part.indexOf('\n'));
    const sections = part.slice(title.length + 1).split(/^--- (.*)\n/m);
    const files = new Map<string, string>();
    const expected = new Map<Section, readonly string[]>();
    for (let at = 1; at < sections.length; at += 2) {
      const [name = '', text = ''] = [sections[at], sections[at + 1]];
      const section = SECTIONS.find((each) => each === name);
      if (section) expected.set(section, pairs(text));
      else files.set(name, text);
    }
    return { title, files, expected };
  });
}

function pairs(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines
    .flatMap((line) => {
      const [source = '', targets = ''] = line.split(': ');
      return targets.split(/\s+/).map((target) => `${source} -> ${target}`);
    })
    .sort();
}

/** The graphs of a program; `manifest` tells its manifests from its sources. */
export async function graphsOf({ files }: Program, manifest: RegExp): Promise<FileGraph[]> {
  const all = [...files];
  const sources = all.filter(([path]) => !manifest.test(path));
  return resolveProject(
    await Promise.all(sources.map(([path, text]) => sourceFile(path, text))),
    all.filter(([path]) => manifest.test(path)).map(([path, text]) => ({ path, text })),
  );
}

/** What the graphs hold of a section, as far as `expected` speaks about it. */
export function actual(
  graphs: readonly FileGraph[],
  section: Section,
  expected: readonly string[],
): string[] {
  const listed = new Set(expected.map((each) => each.split(' -> ')[0]));
  const found = graphs.flatMap(({ path, symbols, edges, externals, unresolved }) => {
    const id = (source: number): string =>
      source === 0 ? path : `${path}#${symbols[source]?.qualifiedName}`;
    const lines: Array<readonly [number, string]> =
      section === 'externals'
        ? externals
            .filter(({ kind }) => kind === 'calls')
            .map(({ source, module, name }) => [source, `${module}.${name}`])
        : section === 'unresolved'
          ? unresolved.filter(({ kind }) => kind === 'calls').map(({ source, name }) => [source, name])
          : edges.filter(({ kind }) => kind === section).map(({ source, target }) => [source, target]);
    const isPartial = section === 'externals' || section === 'unresolved';
    return lines
      .filter(([source]) => !isPartial || listed.has(id(source)))
      .map(([source, target]) => `${id(source)} -> ${target}`);
  });
  return [...new Set(found)].sort();
}
