import type { Manifest } from '../../model.js';
import type { LanguageRules, ModuleTarget, Modules, ProjectFiles } from '../language-rules.js';
import { Unit } from '../program.js';
import { qualifiedName } from './qualified-name.js';

/** The files of a project with the module lookup of each language. */
export class Project {
  readonly units: readonly Unit[];
  readonly #byPath: ReadonlyMap<string, Unit>;
  readonly #directories = new Map<string, Unit>();
  readonly #files: ProjectFiles;
  readonly #modules = new Map<LanguageRules, Modules>();
  readonly #found = new Map<Unit, Map<string, ModuleTarget>>();

  constructor(units: readonly Unit[], manifests: readonly Manifest[]) {
    this.units = [...units].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#byPath = new Map(this.units.map((unit) => [unit.path, unit]));
    this.#files = indexFiles(this.units, manifests, this.#byPath);
  }

  modules(rules: LanguageRules): Modules {
    let modules = this.#modules.get(rules);
    if (!modules) this.#modules.set(rules, (modules = rules.modules(this.#files)));
    return modules;
  }

  find(request: Parameters<Modules['find']>[0], from: Unit): ModuleTarget {
    let found = this.#found.get(from);
    if (!found) this.#found.set(from, (found = new Map()));
    const key = `${request.form ?? ''} ${request.module} ${request.name ?? ''} ${request.root ?? ''}`;
    let target = found.get(key);
    if (!target) found.set(key, (target = this.modules(from.rules).find(request, from.path)));
    return target;
  }

  /** The units of paths; paths that are not of the project are left out. */
  unitsOf(paths: readonly string[]): Unit[] {
    return paths
      .map((path) => this.#byPath.get(path) ?? this.#directories.get(path) ?? this.#virtual(path))
      .filter((unit) => unit !== undefined);
  }

  /** A module without a file. */
  #virtual(path: string): Unit | undefined {
    const within = path.endsWith('/') ? this.units.find((unit) => unit.path.startsWith(path)) : undefined;
    if (!within) return undefined;
    const unit = new Unit(path, within.rules, undefined, []);
    this.#directories.set(path, unit);
    return unit;
  }
}

function indexFiles(
  units: readonly Unit[],
  manifests: readonly Manifest[],
  byPath: ReadonlyMap<string, Unit>,
): ProjectFiles {
  const paths = units.map((unit) => unit.path);
  const byDirectory = groupBy(paths, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const byName = groupBy(paths, (path) => path.slice(path.lastIndexOf('/') + 1));
  const byPackage = groupBy(units, (unit) => unit.packageName ?? '');
  const byNamespace = new Map<string, string[]>();
  for (const unit of units) {
    for (const name of new Set(unit.packageName === undefined ? namespacesOf(unit) : [])) {
      byNamespace.set(name, [...(byNamespace.get(name) ?? []), unit.path]);
    }
  }
  return {
    manifests: [...manifests].sort((a, b) => (a.path < b.path ? -1 : 1)),
    paths,
    has: (path) => byPath.has(path),
    inDirectory: (directory) => byDirectory.get(directory) ?? [],
    endingWith: (suffix) =>
      (byName.get(suffix.slice(suffix.lastIndexOf('/') + 1)) ?? []).filter(
        (path) => path === suffix || path.endsWith(`/${suffix}`),
      ),
    ofPackage: (name) => (name === '' ? [] : (byPackage.get(name) ?? []).map((unit) => unit.path)),
    ofNamespace: (name) => byNamespace.get(name) ?? [],
    packageOf: (path) => byPath.get(path)?.packageName,
  };
}

function namespacesOf(unit: Unit): string[] {
  return unit.classes.flatMap((each) => (each.code.form === 'namespace' ? (qualifiedName(each) ?? []) : []));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
