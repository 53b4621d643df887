import { nearest } from './languages/paths.js';
import { isDeclared } from './engine/shared-names.js';
import type { Unit, Variable } from './program.js';

/** What a script, a file that is not a module, shares with others of its program. */
export interface Globals {
  /** Names that all scripts see. */
  readonly declared: readonly string[];
  /** Names that it uses and does not declare. */
  readonly used: readonly string[];
}

/** Those of a compiled file; undefined for a module. */
export function globalsOf(unit: Unit): Globals | undefined {
  if (!isScript(unit)) return undefined;
  const { isBuiltin } = unit.rules;
  const used = unit.names
    .filter(({ name, lexical }) => !lexical && !isBuiltin?.(name))
    .map(({ name }) => name);
  const declared = [...unit.scope.names.values()].filter(isDeclared).map(({ name }) => name);
  return { declared, used: [...new Set(used)] };
}

function isScript({ rules, path, imports, exports, offers, assigned, instructions }: Unit): boolean {
  if (!rules.scripts?.test(path) || imports.length > 0 || exports.size > 0 || offers.length > 0) return false;
  return !assigned && !instructions.some(({ kind }) => kind === 'module');
}

/** The global variables of scripts, by name. */
export class GlobalNames {
  readonly #variables = new Map<string, Variable[]>();
  readonly #scripts = new Set<Unit>();

  constructor(units: readonly Unit[]) {
    for (const unit of units) {
      const globals = globalsOf(unit);
      if (globals) this.#scripts.add(unit);
      for (const name of globals?.declared ?? []) {
        const variable = unit.scope.names.get(name);
        const known = this.#variables.get(name);
        if (variable && known) known.push(variable);
        else if (variable) this.#variables.set(name, [variable]);
      }
    }
  }

  /** The nearest that a script sees: programs of one project may declare the same names. */
  find(name: string, unit: Unit): Variable | undefined {
    if (!this.#scripts.has(unit)) return undefined;
    const { path } = unit;
    return nearest(this.#variables.get(name) ?? [], path, ({ scope }) => scope.unit.path)[0];
  }
}
