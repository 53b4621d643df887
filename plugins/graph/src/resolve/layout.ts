import type { Manifest } from '../model.js';
import { qualifiedName } from './engine/qualified-name.js';
import { groupBy } from './group-by.js';
import type { LanguageRules } from './language-rules.js';
import type { Modules, ProjectFiles } from './modules.js';
import type { Unit } from './program.js';

/** The paths of all files of a project, whatever their language, by what modules are found by. */
export class Paths {
  /** In order. */
  readonly all: readonly string[];
  readonly #all: ReadonlySet<string>;
  readonly #byDirectory: ReadonlyMap<string, readonly string[]>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;

  constructor(paths: Iterable<string>) {
    this.all = [...paths].sort((a, b) => (a < b ? -1 : 1));
    this.#all = new Set(this.all);
    this.#byDirectory = groupBy(this.all, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    this.#byName = groupBy(this.all, (path) => path.slice(path.lastIndexOf('/') + 1));
  }

  has(path: string): boolean {
    return this.#all.has(path);
  }

  inDirectory(directory: string): readonly string[] {
    return this.#byDirectory.get(directory) ?? [];
  }

  endingWith(suffix: string): readonly string[] {
    const named = this.#byName.get(suffix.slice(suffix.lastIndexOf('/') + 1)) ?? [];
    return named.filter((path) => path === suffix || path.endsWith(`/${suffix}`));
  }
}

/** Where the modules of one language are. Shared by the batches that its files are resolved in. */
export class Layout {
  readonly #files: ProjectFiles;
  readonly #modules = new Map<LanguageRules, Modules>();

  /** `units`: the files of the language whose packages and namespaces others name. */
  constructor(paths: Paths, manifests: readonly Manifest[], units: readonly Unit[]) {
    const packages = new Map(units.map((unit) => [unit.path, unit.packageName]));
    const imports = new Map(units.map((unit) => [unit.path, unit.imports]));
    const constraints = new Map(units.map((unit) => [unit.path, unit.constraint]));
    const opened = new Set(units.flatMap((unit) => unit.opened.map((path) => path.join('.'))));
    const byPackage = groupBy(units, (unit) => unit.packageName ?? '');
    const byNamespace = new Map<string, string[]>();
    for (const unit of units) {
      for (const name of new Set(unit.packageName === undefined ? namespacesOf(unit) : [])) {
        byNamespace.set(name, [...(byNamespace.get(name) ?? []), unit.path]);
      }
    }
    this.#files = {
      manifests: [...manifests].sort((a, b) => (a.path < b.path ? -1 : 1)),
      paths: paths.all,
      has: (path) => paths.has(path),
      inDirectory: (directory) => paths.inDirectory(directory),
      endingWith: (suffix) => paths.endingWith(suffix),
      ofPackage: (name) => (name === '' ? [] : (byPackage.get(name) ?? []).map((unit) => unit.path)),
      ofNamespace: (name) => byNamespace.get(name) ?? [],
      openedByMacros: (names) => {
        let count = 0;
        while (count < names.length && opened.has(names.slice(0, count + 1).join('.'))) count += 1;
        return count;
      },
      packageOf: (path) => packages.get(path),
      importsOf: (path) => (imports.get(path) ?? []).map(({ statement }) => statement),
      constraintOf: (path) => constraints.get(path),
    };
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  modules(rules: LanguageRules): Modules {
    let modules = this.#modules.get(rules);
    if (!modules) this.#modules.set(rules, (modules = rules.modules(this.#files)));
    return modules;
  }
}

function namespacesOf(unit: Unit): string[] {
  return unit.classes.flatMap((each) => (each.code.form === 'namespace' ? (qualifiedName(each) ?? []) : []));
}
