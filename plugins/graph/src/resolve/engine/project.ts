import type { Layout } from '../layout.js';
import { neutral } from '../languages/neutral.js';
import type { LanguageRules } from '../language-rules.js';
import type { ModuleTarget, Modules } from '../modules.js';
import { Unit } from '../program.js';

/** Files that are resolved together, with the lookup of modules. */
export class Project {
  readonly units: readonly Unit[];
  /** Of paths that were looked up, and of files. */
  readonly #byPath: Map<string, Unit | undefined>;
  readonly #layout: Layout;
  readonly #found = new Map<Unit, Map<string, ModuleTarget>>();
  #loaded: ReadonlySet<Unit> | undefined;

  constructor(units: readonly Unit[], layout: Layout) {
    this.units = [...units].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#byPath = new Map(this.units.map((unit) => [unit.path, unit]));
    this.#layout = layout;
  }

  modules(rules: LanguageRules): Modules {
    return this.#layout.modules(rules);
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
      .map((path) => (this.#byPath.has(path) ? this.#byPath.get(path) : this.#other(path)))
      .filter((unit) => unit !== undefined);
  }

  /** True for a file whose names others see because they load it: a header. */
  isLoaded(unit: Unit): boolean {
    return (this.#loaded ??= new Set(this.#loadedUnits())).has(unit);
  }

  *#loadedUnits(): Iterable<Unit> {
    for (const unit of this.units) {
      for (const { statement } of unit.imports) {
        const target = statement.form === 'load' ? this.find(statement, unit) : undefined;
        if (target?.kind === 'files' && target.merges) yield* this.unitsOf(target.paths);
      }
    }
  }

  /** False for directories, and for what the languages declare. */
  isFile(unit: Unit): boolean {
    return this.#layout.has(unit.path);
  }

  /** A module without code: a directory, or a file of another language, which can be imported but has no names here. */
  #other(path: string): Unit | undefined {
    const like = path.endsWith('/') ? this.units.find((unit) => unit.path.startsWith(path)) : undefined;
    const rules = this.#layout.has(path) ? neutral : like?.rules;
    const unit = rules && new Unit(path, rules, undefined, []);
    this.#byPath.set(path, unit);
    return unit;
  }
}
