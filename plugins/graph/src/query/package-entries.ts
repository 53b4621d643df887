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
/** Paths that are compared with patterns, of all manifests together. */
const MAX_COMPARISONS = 1_000_000;

/** What the packages of a project offer to those who install them. */
export interface PackageEntries {
  /** Indexes of parts whose exports are used from outside. */
  readonly parts: ReadonlySet<number>;
  /** Functions and classes that are used from outside. */
  readonly nodes: readonly number[];
}

/** Indexes of parts by path without extension. */
type PartsByStem = ReadonlyMap<string, readonly number[]>;

/** What the names in manifests are looked up in. */
interface Lookup {
  readonly byStem: PartsByStem;
  /** In ascending order. */
  readonly stems: readonly string[];
  comparisonsLeft: number;
}

/** The files and functions that the manifests of packages name. Reads all manifests. */
export async function findPackageEntries(graph: ProjectGraph, readTexts: ReadTexts): Promise<PackageEntries> {
  const paths = graph.parts.flatMap(({ path }) => (MANIFEST.test(path) ? [path] : []));
  const byStem = partsByStem(graph);
  const lookup: Lookup = { byStem, stems: sortedStems(graph), comparisonsLeft: MAX_COMPARISONS };
  const parts = new Set<number>();
  const nodes: number[] = [];
  for await (const [path, text] of readInBatches(paths, readTexts)) {
    const directory = parentOf(path);
    if (path.endsWith('package.json'))
      for (const target of new Set(filesOfPackage(text).map(stemOf)))
        for (const part of sourcesOf(target, directory, lookup)) parts.add(part);
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

/** A path without the extension of code or the slash at its end. */
function stemOf(path: string): string {
  return path.replace(EXTENSION, '').replace(/\/$/, '');
}

/** Parts of a file that a manifest names without its extension, or of the sources that it is built from. */
function sourcesOf(target: string, directory: string, lookup: Lookup): readonly number[] {
  const { byStem } = lookup;
  const around = directory === '' ? '' : `${directory}/`;
  const stems = [posix.join(directory, target), ...sourcesOfBuilt(target).map((path) => around + path)];
  for (const stem of stems) {
    const found = stem.includes('*')
      ? matchesOf(stem, lookup)
      : [...(byStem.get(stem) ?? []), ...(byStem.get(stem === '.' ? 'index' : `${stem}/index`) ?? [])];
    if (found.length > 0) return found;
  }
  return [];
}

/** Parts whose paths match a pattern, in which what is between its first and its last `*` stands for any text. */
function matchesOf(pattern: string, lookup: Lookup): number[] {
  const { byStem, stems } = lookup;
  const before = pattern.slice(0, pattern.indexOf('*'));
  const after = pattern.slice(pattern.lastIndexOf('*') + 1);
  const found: number[] = [];
  for (let at = firstFrom(stems, before); lookup.comparisonsLeft > 0; at++) {
    const stem = stems[at];
    if (!stem?.startsWith(before)) break;
    lookup.comparisonsLeft--;
    if (stem.length >= before.length + after.length && stem.endsWith(after)) found.push(...byStem.get(stem)!);
  }
  return found;
}

/** Index of the first of some ascending texts that is not less than `text`. */
function firstFrom(ascending: readonly string[], text: string): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places of the source of a built file, or of the index of the package. */
function sourcesOfBuilt(target: string): string[] {
  const [first = '', ...rest] = target.split('/');
  if (rest.length === 0 || !OUTPUT.test(first)) return [];
  const inner = FORMAT.test(rest[0] ?? '') ? [rest, rest.slice(1)] : [rest];
  return inner.flatMap((each) => {
    const path = each.length === 0 ? 'index' : each.join('/');
    return [...SOURCES.map((source) => `${source}/${path}`), path];
  });
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

const sortedStems = perGraph((graph): readonly string[] => [...partsByStem(graph).keys()].sort());

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
