import { posix } from 'node:path';
import { filesOfPackage, functionsOfPackage } from './manifest-entries.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';
import { readInBatches, type ReadTexts } from './texts.js';

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|setup\.py)$/;
/** Folders of built files, whose sources are in a folder beside them. */
const OUTPUT = /^(?:dist|build|out|output|lib|esm|cjs|es|commonjs|compiled|types)$/;
/** Folders in them, one for each format. */
const FORMAT = /^(?:esm|cjs|es|umd|types|node|browser|module|src)$/;
const SOURCES = ['src', 'source', 'lib'];
const EXTENSION = /(?:\.d)?\.(?:[cm]?[jt]sx?|pyi?)$/;

/** What the packages of a project offer to those who install them. */
export interface PackageEntries {
  /** Indexes of parts whose exports are used from outside. */
  readonly parts: ReadonlySet<number>;
  /** Functions and classes that are used from outside. */
  readonly nodes: readonly number[];
}

/** Indexes of parts by path without extension. */
type PartsByStem = ReadonlyMap<string, readonly number[]>;

/** The files and functions that the manifests of packages name. Reads all manifests. */
export async function findPackageEntries(graph: ProjectGraph, readTexts: ReadTexts): Promise<PackageEntries> {
  const paths = graph.parts.flatMap(({ path }) => (MANIFEST.test(path) ? [path] : []));
  const byStem = partsByStem(graph);
  const parts = new Set<number>();
  const nodes: number[] = [];
  for await (const [path, text] of readInBatches(paths, readTexts)) {
    const directory = parentOf(path);
    if (path.endsWith('package.json'))
      for (const target of filesOfPackage(text))
        for (const part of sourcesOf(target, directory, byStem)) parts.add(part);
    else
      for (const { module, name } of functionsOfPackage(path, text)) {
        const part = moduleAt(module, directory, byStem);
        if (part === undefined) continue;
        const node = name === undefined ? undefined : graph.node(`${graph.parts[part]!.path}#${name}`);
        if (node === undefined) parts.add(part);
        else nodes.push(node);
      }
  }
  return { parts, nodes };
}

/** Parts of a file that a manifest names, or of the sources that it is built from. */
function sourcesOf(target: string, directory: string, byStem: PartsByStem): readonly number[] {
  for (const candidate of candidatesOf(target.replace(EXTENSION, '').replace(/\/$/, '').split('/'))) {
    const stem = posix.join(directory, ...candidate);
    const found = stem.includes('*')
      ? [...byStem].flatMap(([each, indexes]) => (matches(each, stem) ? indexes : []))
      : [...(byStem.get(stem) ?? []), ...(byStem.get(posix.join(stem, 'index')) ?? [])];
    if (found.length > 0) return found;
  }
  return [];
}

/** The path itself, then places of the source of a built file. */
function candidatesOf(path: readonly string[]): ReadonlyArray<readonly string[]> {
  const [first = '', ...rest] = path;
  if (rest.length === 0 || !OUTPUT.test(first)) return [path];
  const inner = FORMAT.test(rest[0] ?? '') ? [rest, rest.slice(1)] : [rest];
  return [path, ...inner.flatMap((each) => [...SOURCES.map((source) => [source, ...each]), each])];
}

function matches(path: string, pattern: string): boolean {
  const before = pattern.slice(0, pattern.indexOf('*'));
  const after = pattern.slice(pattern.lastIndexOf('*') + 1);
  return path.length >= before.length + after.length && path.startsWith(before) && path.endsWith(after);
}

/** The part of a Python module. */
function moduleAt(module: string, directory: string, byStem: PartsByStem): number | undefined {
  const path = module.replaceAll('.', '/');
  for (const folder of ['src', '.', 'lib'])
    for (const name of [path, `${path}/__init__`]) {
      const [part] = byStem.get(posix.join(directory, folder, name)) ?? [];
      if (part !== undefined) return part;
    }
  return undefined;
}

const partsByStem = perGraph(({ parts }): PartsByStem => {
  const found = new Map<string, number[]>();
  for (const [index, { path }] of parts.entries()) {
    const stem = path.replace(EXTENSION, '');
    const known = found.get(stem);
    if (known) known.push(index);
    else found.set(stem, [index]);
  }
  return found;
});

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
