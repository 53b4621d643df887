import type { Origin } from '../instructions.js';
import type { Unit } from '../program.js';
import type { Hit } from './hit.js';
import type { Load } from './member-load.js';

export interface Reference {
  readonly origin: Origin;
  /** Of a member of what the file names: objects in variables and parameters may be those of any caller. */
  readonly name?: string;
  readonly hit: Hit;
}

/** Members read other than by calling them. */
export class References {
  readonly #found = new Map<Unit, Reference[]>();

  note(load: Load, hit: Hit): void {
    if (load.line === 0 || !isMember(hit)) return;
    this.#add({ origin: load, hit, ...(load.isOfFile && { name: load.name }) });
  }

  /** One of the members whose names start with what the code says. */
  noteStart(origin: Origin, hit: Hit): void {
    if (isMember(hit)) this.#add({ origin, hit });
  }

  /** A function that takes what is written to a member. */
  noteStore(origin: Origin, hit: Extract<Hit, { kind: 'accessor' }>): void {
    this.#add({ origin, hit });
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

function isMember({ kind }: Hit): boolean {
  return kind !== 'value' && kind !== 'answer';
}
