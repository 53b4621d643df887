import type { code } from '@service-mcp/plugin-syntax/contract';
import { parseBuiltins } from '../builtins.js';
import { compileFile } from '../compile/compile-file.js';
import type { LanguageRules, LiteralKind } from '../language-rules.js';
import { neutral } from '../languages/neutral.js';
import type { Class, Func } from '../declarations.js';
import type { Unit } from '../program.js';
import type { External } from '../values.js';

/** For languages that describe none of their own. Named as the literals are. */
const PLAIN = `
  class list<T> { @each: T @index: T }
  class tuple<T> { @each: T @index: T }
  class set<T> { @each: T }
  class object<T> { @index: T }
  class generator<T> { @each: T }
  class promise<T> { @await: T }
`;

const PLAIN_RULES: LanguageRules = { ...neutral, builtins: PLAIN };

/** Read once: compiling leaves them as they are. */
const bodies = new Map<LanguageRules, readonly code.Statement[]>();

function bodyOf(rules: LanguageRules): readonly code.Statement[] {
  let body = bodies.get(rules);
  if (!body) bodies.set(rules, (body = parseBuiltins(rules.builtins ?? '')));
  return body;
}

/** The builtin types of each language, compiled like a file. */
export class Builtins {
  readonly #units = new Map<LanguageRules, Unit>();
  readonly #all = new Set<Unit>();

  unitOf(rules: LanguageRules): Unit {
    let unit = this.#units.get(rules);
    if (!unit) {
      const code = { definitions: [], body: bodyOf(rules) };
      unit = compileFile({ path: '', language: null, symbols: [], complete: true, code }, rules);
      this.#units.set(rules, unit);
      this.#all.add(unit);
    }
    return unit;
  }

  /** The type of a literal in a language that has no name for it. */
  fallback(type: LiteralKind): Class | undefined {
    return this.find(PLAIN_RULES, type);
  }

  units(): Iterable<Unit> {
    return this.#all;
  }

  find(rules: LanguageRules, name: string): Class | undefined {
    const found = this.unitOf(rules).scope.names.get(name)?.declarations?.[0];
    return found?.kind === 'class' ? found : undefined;
  }

  /** The type or function that an external name stands for. */
  named(rules: LanguageRules, { module, name }: External): Class | Func | undefined {
    const { names } = this.unitOf(rules).scope;
    const isBuiltin =
      module === '' || rules.builtinModules?.includes(module) || rules.collectionModules?.includes(module);
    const found =
      names.get(module === '' ? name : `${module}.${name}`) ?? (isBuiltin ? names.get(name) : undefined);
    const declared = found?.declarations?.[0];
    return declared?.kind === 'class' || declared?.kind === 'function' ? declared : undefined;
  }

  isFunction(func: Func): boolean {
    return this.#all.has(func.unit);
  }

  isBuiltin(container: Class): boolean {
    return this.#all.has(container.unit);
  }
}
