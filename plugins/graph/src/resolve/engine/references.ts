import type { CallSite, Origin } from '../instructions.js';
import type { Unit, Variable } from '../program.js';
import type { Hit } from './members.js';
import type { Load } from './member-load.js';

export interface Reference {
  readonly origin: Origin;
  /** Of a member of what the file names: objects in variables and parameters may be those of any caller. */
  readonly name?: string;
  readonly hit: Hit;
}

/** Members read other than by calling them, and variables that are called. */
export class References {
  readonly #found = new Map<Unit, Reference[]>();

  note(load: Load, hit: Hit): void {
    if (load.line === 0 || hit.kind === 'value' || hit.kind === 'answer') return;
    this.#add({ origin: load, hit, ...(load.isOfFile && { name: load.name }) });
  }

  /** A function that takes what is written to a member. */
  noteStore(origin: Origin, hit: Extract<Hit, { kind: 'accessor' }>): void {
    this.#add({ origin, hit });
  }

  /** A variable is used by a call of it, whatever its value: `const save = debounce(write)`. */
  noteCall(site: CallSite, hit: Extract<Hit, { kind: 'node' }>): void {
    if (hit.variable && isValue(hit.variable)) this.#add({ origin: site, hit });
  }

  #add(reference: Reference): void {
    const { unit } = reference.origin;
    const found = this.#found.get(unit);
    if (found) found.push(reference);
    else this.#found.set(unit, [reference]);
  }

  /** Those of a file. */
  in(unit: Unit): readonly Reference[] {
    return this.#found.get(unit) ?? [];
  }
}

/**
 * True for a variable that is a symbol of its own, or an interface with a value of its name. Calls of others are edges to
 * the function or class.
 */
export function isValue({ scope, symbol, declarations }: Variable): boolean {
  if (symbol !== undefined && scope.unit.symbols[symbol]?.kind === 'variable') return true;
  return declarations?.some((each) => each.kind === 'class' && each.code.form === 'interface') === true;
}
