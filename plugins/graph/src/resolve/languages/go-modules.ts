import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { GoVariants } from './go-variants.js';
import { directoryOf } from './paths.js';
import type { Manifest } from '../../model.js';

/** A `go.mod`: the packages below `directory` have import paths that start with `path`. */
interface GoModule {
  readonly path: string;
  readonly directory: string;
}

/** Finds packages by the `go.mod` files of a project, and in `vendor`. */
export function goModules(project: ProjectFiles): Modules {
  const modules = project.manifests.filter(isGoMod).flatMap(readGoMod);
  const variants = new GoVariants(project);
  return {
    find({ module }, from) {
      const found = findPackage(module, from, modules, project);
      return found.kind === 'files' ? { ...found, paths: variants.ordered(found.paths, from) } : found;
    },
    scopeOf: (path) => variants.scopeOf(path),
    visibleScopes: (path) => variants.visibleScopes(path),
    isBuiltWith: (path, from) => variants.isBuiltWith(path, from),
    localName,
  };
}

function isGoMod({ path }: Manifest): boolean {
  return path === 'go.mod' || path.endsWith('/go.mod');
}

/** The module itself, and the directories that its `replace` directives give other modules. */
function readGoMod({ path, text }: Manifest): GoModule[] {
  const directory = directoryOf(path);
  const name = /^[ \t]*module\s+"?([^\s"]+)/m.exec(text)?.[1];
  const replaced = [...text.matchAll(/^[ \t]*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.\.?(?:\/\S*)?)/gm)];
  return [
    ...(name === undefined ? [] : [{ path: name, directory }]),
    ...replaced.map(([, target = '', to = '']) => ({ path: target, directory: join(directory, to) })),
  ];
}

function findPackage(
  wanted: string,
  from: string,
  modules: readonly GoModule[],
  project: ProjectFiles,
): ModuleTarget {
  const external: ModuleTarget = { kind: 'external', module: wanted };
  if (wanted === 'C' || wanted === 'unsafe') return external;
  const owner = longest(modules.filter(({ path }) => path === wanted || wanted.startsWith(`${path}/`)));
  const own = owner && filesOf(join(owner.directory, wanted.slice(owner.path.length + 1)), project);
  if (own) return own;
  for (const directory of ancestors(directoryOf(from))) {
    const vendored = filesOf(join(directory, `vendor/${wanted}`), project);
    if (vendored) return vendored;
  }
  // Import paths of the standard library have no module in front.
  const library = modules.find(({ path }) => path === 'std');
  const standard = library && filesOf(join(library.directory, wanted), project);
  if (standard) return standard;
  if (modules.length === 0) return withoutModules(wanted, project) ?? external;
  return owner ? { kind: 'unresolved' } : external;
}

/** In a project without `go.mod`: the directory that the longest end of the path names. */
function withoutModules(wanted: string, project: ProjectFiles): ModuleTarget | undefined {
  // Import paths without a dot in front are those of the standard library.
  if (!/^[^/]*\./.test(wanted)) return undefined;
  const parts = wanted.split('/');
  for (let first = 1; first < parts.length; first += 1) {
    const found = filesOf(parts.slice(first).join('/'), project);
    if (found) return found;
  }
  return undefined;
}

/** Files that an import of a directory binds: without tests, and without programs next to a package. */
function filesOf(directory: string, project: ProjectFiles): ModuleTarget | undefined {
  const files = project
    .inDirectory(directory)
    .filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
  const packages = files.filter((path) => !['main', 'documentation'].includes(project.packageOf(path) ?? ''));
  const paths = packages.length > 0 ? packages : files;
  return paths.length > 0 ? { kind: 'files', paths } : undefined;
}

function longest(modules: readonly GoModule[]): GoModule | undefined {
  return modules.reduce<GoModule | undefined>(
    (best, each) => (best && best.path.length >= each.path.length ? best : each),
    undefined,
  );
}

/** The name that an external package has by convention: the last part of its path, without its version. */
function localName(module: string): string {
  const parts = module.split('/').filter((part) => !/^v\d+$/.test(part));
  const last = parts.at(-1) ?? module;
  return last.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '');
}

/** A directory and those around it, from the inside out. */
function ancestors(directory: string): string[] {
  return directory === '' ? [''] : [directory, ...ancestors(directoryOf(directory))];
}

function join(directory: string, relative: string): string {
  const parts = directory === '' ? [] : directory.split('/');
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
