import { groupBy } from '../group-by.js';
import type { ProjectFiles } from '../modules.js';
import { directoryOf, joinPath } from './paths.js';

/** What files of Rust declare as modules in files of their own. */
export class RustModuleFiles {
  readonly #project: ProjectFiles;
  /** By file: its modules, `a` or `a::b` of an inline one. */
  readonly #declared = new Map<string, ReadonlySet<string>>();
  /** By file and name: files that an attribute names. */
  readonly #placed = new Map<string, ReadonlyMap<string, string>>();
  /** Of files that an attribute names: the file with the attribute. */
  #parents: ReadonlyMap<string, string> | undefined;
  #byDirectory: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(project: ProjectFiles) {
    this.#project = project;
  }

  /** The file of a module that is written as a path: `#[path = "a/b.rs"] mod b;`. */
  written(module: string, from: string): string | undefined {
    if (!module.startsWith('./')) return undefined;
    const path = joinPath(directoryOf(from), module);
    return path !== undefined && this.#project.has(path) ? path : undefined;
  }

  declares(file: string, names: readonly string[]): boolean {
    let declared = this.#declared.get(file);
    if (!declared) {
      const modules = this.#project
        .importsOf(file)
        .flatMap(({ module, form }) =>
          form === 'namespace' && module.startsWith('self::') ? [module.slice('self::'.length)] : [],
        );
      this.#declared.set(file, (declared = new Set(modules)));
    }
    return declared.has(names.join('::'));
  }

  placedIn(file: string, name: string): string | undefined {
    let placed = this.#placed.get(file);
    if (!placed) {
      const found = this.#project
        .importsOf(file)
        .flatMap(({ module, local = '' }): Array<[string, string]> => {
          const path = this.written(module, file);
          return path === undefined ? [] : [[local, path]];
        });
      this.#placed.set(file, (placed = new Map(found)));
    }
    return placed.get(name);
  }

  /** The file that names another one as its module. */
  parentOf(file: string): string | undefined {
    return this.#named().get(file);
  }

  /** The file that an attribute names, with a module in its directory. */
  placedWith(directory: string, name: string): string | undefined {
    this.#byDirectory ??= groupBy([...this.#named().keys()], directoryOf);
    return this.#byDirectory.get(directory)?.find((file) => this.declares(file, [name]));
  }

  /** Of files that several files name the first counts: the library comes before its tests. */
  #named(): ReadonlyMap<string, string> {
    if (this.#parents) return this.#parents;
    const parents = new Map<string, string>();
    for (const path of this.#project.paths) {
      if (!path.endsWith('.rs')) continue;
      for (const { module } of this.#project.importsOf(path)) {
        const placed = this.written(module, path);
        if (placed !== undefined && placed !== path && !parents.has(placed)) parents.set(placed, path);
      }
    }
    return (this.#parents = parents);
  }
}
