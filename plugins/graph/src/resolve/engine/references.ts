import type { Instruction } from '../instructions.js';
import type { Hit } from './members.js';

type Load = Extract<Instruction, { kind: 'load' }>;

/** Members read other than by calling them. */
export class References {
  readonly found: Array<{ readonly load: Load; readonly hit: Hit }> = [];

  note(load: Load, hit: Hit): void {
    if (load.line > 0 && hit.kind !== 'value') this.found.push({ load, hit });
  }
}
