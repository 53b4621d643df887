import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { directoryOf, joinPath } from './paths.js';

/** Scope of the names without a namespace. */
const GLOBAL = '';
/** Constants have capitals alone. */
const CLASS = /^\p{Lu}.*\p{Ll}/u;

/** Namespaces are packages: PSR-4 finds the file of a class, the declared namespace finds all others. */
export function phpModules(project: ProjectFiles): Modules {
  const prefixes = autoloaded(project);
  const scope = (path: string): string => project.packageOf(path) ?? GLOBAL;
  const global = project.paths.filter(
    (path) => project.packageOf(path) === undefined && path.endsWith('.php'),
  );
  const files = (namespace: string): readonly string[] =>
    namespace === '' ? global : project.ofPackage(namespace);
  let namespaces: ReadonlySet<string> | undefined;
  /** Whether a name is that of a namespace, or begins with one of the project. */
  const isNamespace = (name: string): boolean => (namespaces ??= namespacesOf(project)).has(name);
  return {
    submodule: ([path = ''], name) => {
      const around = scope(path);
      const whole = around === GLOBAL ? name : `${around}\\${name}`;
      return isNamespace(whole) ? { kind: 'files', paths: files(whole) } : undefined;
    },
    find: (request, from) => {
      if (request.form !== 'named' || request.name === undefined)
        return included(project, request.module, from);
      const { module, name } = request;
      const path = module === '' ? name : `${module}\\${name}`;
      const file = request.static ? undefined : fileOf(project, prefixes, path);
      if (file !== undefined) return { kind: 'files', paths: [file] };
      if (files(module).length > 0 && (module !== '' || files(path).length === 0)) {
        return { kind: 'files', paths: files(module), ...(module === '' && { mayLack: true }) };
      }
      // Files that have the namespace beside others.
      const among = project.ofNamespace(module.replaceAll('\\', '.'));
      if (among.length > 0) return { kind: 'files', paths: among, within: module.split('\\') };
      const whole = files(path);
      return whole.length > 0 ? { kind: 'files', paths: whole, whole: true } : { kind: 'external', module };
    },
    scopeOf: scope,
    visibleScopes: (path) => (scope(path) === GLOBAL ? [] : [GLOBAL]),
    ofPath: (names, from) => {
      const isRooted = names[0] === '';
      const base = isRooted ? [] : (project.packageOf(from) ?? '').split('\\').filter((part) => part !== '');
      const all = [...base, ...(isRooted ? names.slice(1) : names)];
      for (let length = all.length - 1; length >= 0; length -= 1) {
        const paths = files(all.slice(0, length).join('\\'));
        const used = length - base.length + (isRooted ? 1 : 0);
        if (paths.length === 0 || used < 1) continue;
        // `Acme\\Http` may be a class of the project with a member, and a namespace of another package with a class.
        const isBelow = isRooted && CLASS.test(all[length + 1] ?? '');
        const otherwise = isBelow ? { otherwise: all.slice(0, length + 1).join('\\') } : {};
        return { target: { kind: 'files', paths, ...otherwise }, used };
      }
      return isRooted && !isNamespace(all.join('\\'))
        ? { target: { kind: 'external', module: all.slice(0, -1).join('\\') }, used: names.length - 1 }
        : undefined;
    },
  };
}

/** All namespaces, and those around them. */
function namespacesOf(project: ProjectFiles): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of project.paths) {
    const parts = project.packageOf(path)?.split('\\') ?? [];
    for (const [index] of parts.entries()) found.add(parts.slice(0, index + 1).join('\\'));
  }
  return found;
}

/** Directories of namespaces by PSR-4, the longest prefix first. */
function autoloaded(project: ProjectFiles): Array<readonly [prefix: string, directory: string]> {
  return project.manifests
    .filter(({ path }) => /(?:^|\/)composer\.json$/.test(path))
    .flatMap(({ path, text }) =>
      ['autoload', 'autoload-dev'].flatMap((section) =>
        Object.entries(member(member(parsed(text), section), 'psr-4') ?? {}).flatMap(
          ([prefix, directories]) =>
            [directories].flat().flatMap((directory): Array<readonly [string, string]> => {
              const found =
                typeof directory === 'string' ? joinPath(directoryOf(path), directory) : undefined;
              return found === undefined ? [] : [[prefix, found]];
            }),
        ),
      ),
    )
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): object | undefined {
  const found =
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)
      : undefined;
  const inner: unknown = found?.[1];
  return typeof inner === 'object' && inner !== null ? inner : undefined;
}

function fileOf(
  project: ProjectFiles,
  prefixes: ReadonlyArray<readonly [string, string]>,
  name: string,
): string | undefined {
  for (const [prefix, directory] of prefixes) {
    if (!name.startsWith(prefix)) continue;
    const path = joinPath(directory, `${name.slice(prefix.length).replaceAll('\\', '/')}.php`);
    if (path !== undefined && project.has(path)) return path;
  }
  return undefined;
}

/** An included path: relative to the file, else to the root, which is a common include path. */
function included(project: ProjectFiles, module: string, from: string): ModuleTarget {
  const beside = joinPath(directoryOf(from), module);
  const found = [beside, module.startsWith('.') ? undefined : joinPath('', module)].find(
    (path) => path !== undefined && project.has(path),
  );
  if (found !== undefined) return { kind: 'files', paths: [found] };
  return /(?:^|\/)vendor\//.test(module) ? { kind: 'external', module } : { kind: 'unresolved' };
}
