import type { Target, Unit } from '../program.js';
import type { Project } from './project.js';

/** What the imports of a file bring into it without giving it a name. */
export class UnnamedImports {
  readonly #project: Project;
  readonly #modules = new Map<Unit, Map<string, Target>>();
  readonly #files = new Map<Unit, readonly Unit[]>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** Modules that are imported under the names that they have of themselves. */
  modules(unit: Unit): ReadonlyMap<string, Target> {
    let known = this.#modules.get(unit);
    if (known) return known;
    this.#modules.set(unit, (known = new Map()));
    const modules = this.#project.modules(unit.rules);
    for (const { statement } of unit.imports) {
      if (statement.form !== 'namespace' || statement.local !== undefined) continue;
      const target = this.#project.find(statement, unit);
      if (target.kind === 'external') {
        const name = modules.localName?.(target.module);
        if (name !== undefined) known.set(name, { ...target, name: '' });
      } else if (target.kind === 'files') {
        const units = this.#project.unitsOf(target.paths);
        const name = units[0]?.packageName;
        if (name !== undefined) known.set(name, { kind: 'module', units });
      }
    }
    return known;
  }

  /** The files whose names a file sees because it loads them, directly or not. */
  files(unit: Unit): readonly Unit[] {
    let files = this.#files.get(unit);
    if (files) return files;
    const seen = new Set([unit]);
    for (const each of seen) {
      for (const { statement } of each.imports) {
        const target = statement.form === 'load' ? this.#project.find(statement, each) : undefined;
        if (target?.kind !== 'files' || !target.merges) continue;
        for (const other of this.#project.unitsOf(target.paths)) seen.add(other);
      }
    }
    seen.delete(unit);
    this.#files.set(unit, (files = [...seen]));
    return files;
  }
}
