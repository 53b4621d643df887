import type { Unit } from '../program.js';
import type { Hit } from './members.js';
import type { Load } from './member-load.js';

export interface Reference {
  readonly load: Load;
  readonly hit: Hit;
}

/** Members read other than by calling them. */
export class References {
  readonly #found = new Map<Unit, Reference[]>();

  note(load: Load, hit: Hit): void {
    if (load.line === 0 || hit.kind === 'value' || hit.kind === 'answer') return;
    const found = this.#found.get(load.unit);
    if (found) found.push({ load, hit });
    else this.#found.set(load.unit, [{ load, hit }]);
  }

  /** Those of a file. */
  in(unit: Unit): readonly Reference[] {
    return this.#found.get(unit) ?? [];
  }
}
