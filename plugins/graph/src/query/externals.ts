import type { ProjectGraph } from './project-graph.js';
import { readInBatches, type ReadTexts } from './texts.js';

/** Manifests with versions of packages. */
const MANIFESTS = ['package.json', 'go.mod', 'Cargo.toml', 'requirements.txt', 'pyproject.toml'];
const MAX_MANIFESTS = 200;
/** Segments of the longest name of a package. */
const MAX_SEGMENTS = 10;

/** Modules outside the project that these symbols use, sorted. Builtins of the language have no module. */
export function externalModules(graph: ProjectGraph, nodes: Iterable<number>): string[] {
  const wanted = new Set(nodes);
  const modules = new Set<string>();
  for (const part of new Set(Array.from(wanted, (node) => graph.partOf[node]!)))
    for (const { source, module } of graph.parts[part]!.externals)
      if (module !== '' && wanted.has(graph.starts[part]! + source)) modules.add(module);
  return [...modules].sort();
}

/** Modules with the versions of their packages, if a manifest near `path` states one. */
export async function withVersions(
  modules: readonly string[],
  path: string,
  readTexts: ReadTexts,
): Promise<Array<{ name: string; version?: string }>> {
  if (modules.length === 0) return [];
  const paths = manifestPaths(path);
  const versions = new Map<string, ReadonlyMap<string, string>>();
  for await (const [manifest, text] of readInBatches(paths, readTexts))
    versions.set(manifest, packageVersions(manifest, text));
  const manifests = paths.flatMap((manifest) => versions.get(manifest) ?? []);
  return modules.map((name) => {
    const version = versionOf(name, manifests);
    return { name, ...(version !== undefined && { version }) };
  });
}

/** Possible paths of manifests of a file, the nearest first. */
function manifestPaths(path: string): string[] {
  const paths: string[] = [];
  for (let end = path.lastIndexOf('/'); paths.length < MAX_MANIFESTS; end = path.lastIndexOf('/', end - 1)) {
    paths.push(...MANIFESTS.map((name) => path.slice(0, end + 1) + name));
    if (end <= 0) break;
  }
  return paths;
}

/** The version of the package that a module belongs to, as the manifests (the nearest first) state it. */
function versionOf(
  module: string,
  manifests: ReadonlyArray<ReadonlyMap<string, string>>,
): string | undefined {
  const parts = module.split('/', MAX_SEGMENTS);
  const names = parts.map((_, i) => parts.slice(0, parts.length - i).join('/')); // the longest first
  const [root = ''] = module.split(/[./:]/, 1);
  for (const manifest of manifests)
    for (const name of [...names, root, root.replaceAll('_', '-')]) {
      const version = manifest.get(name);
      if (version !== undefined) return version;
    }
  return undefined;
}

/** Versions in a manifest by package. Empty for a manifest that cannot be read. */
function packageVersions(path: string, text: string): ReadonlyMap<string, string> {
  if (path.endsWith('package.json')) return npmVersions(text);
  const line = path.endsWith('go.mod')
    ? /^\s*(?:require\s+)?(?=\S+\.\S)(\S+)\s+(v\S+)/
    : path.endsWith('Cargo.toml')
      ? /^\s*([\w-]+)\s*=\s*(?:\{.*?version\s*=\s*)?"([^"]*)"/
      : /^[\s"']*([\w.-]+)(?:\[[^\]]*\])?\s*[=~><!]=\s*([\w.*+!-]+)/;
  const versions = new Map<string, string>();
  for (const text_ of text.split('\n')) {
    const [, name, version] = line.exec(text_.slice(0, 1000)) ?? [];
    if (name !== undefined && version !== undefined && !versions.has(name)) versions.set(name, version);
  }
  return versions;
}

function npmVersions(text: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return versions;
  }
  if (typeof manifest !== 'object' || manifest === null) return versions;
  const groups = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];
  const fields = new Map(Object.entries(manifest));
  for (const group of groups)
    for (const [name, version] of Object.entries((fields.get(group) ?? {}) as object))
      // any object: values are checked
      if (typeof version === 'string' && !versions.has(name)) versions.set(name, version);
  return versions;
}
