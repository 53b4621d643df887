import type { Class, Func } from '../declarations.js';
import { implementationOf } from '../engine/overloads.js';
import type { Unit, Variable } from '../program.js';
import { idOf, type FileFrame } from './graph-builder.js';

/** The symbols that declarations have in the graphs of their files. */
export class Symbols {
  readonly #frames: ReadonlyMap<Unit, FileFrame>;
  /** Ids that were asked for: most are, many times. */
  readonly #ids = new Map<FileFrame, Map<number, string>>();

  constructor(frames: ReadonlyMap<Unit, FileFrame>) {
    this.#frames = frames;
  }

  signatureOf({ unit, symbol }: Func): string | undefined {
    return symbol === undefined ? undefined : this.#frames.get(unit)?.symbols[symbol]?.signature;
  }

  nameOf({ unit, symbol }: Func): string | undefined {
    return symbol === undefined ? undefined : unit.symbols[symbol]?.name;
  }

  /** The id that edges have for a declaration; none without a symbol, or outside the files. */
  idOf(target: Func | Class): string | undefined {
    return target.symbol === undefined ? undefined : this.idIn(target.unit, target.symbol);
  }

  /** The id of the symbol at a position of a file. */
  idIn(unit: Unit, symbol: number): string | undefined {
    const frame = this.#frames.get(unit);
    if (!frame) return undefined;
    let ids = this.#ids.get(frame);
    if (!ids) this.#ids.set(frame, (ids = new Map()));
    let id = ids.get(symbol);
    if (id === undefined) ids.set(symbol, (id = idOf(frame, symbol + 1)));
    return id;
  }

  /** The id of a variable, or of what it declares; none for a local variable. */
  idOfVariable(variable: Variable): string | undefined {
    const unit = variable.scope.unit;
    const declared = variable.declarations?.find((each) => each.kind === 'function' || each.kind === 'class');
    const local = variable.scope.kind !== 'file' && variable.scope.kind !== 'class' && !declared;
    const implementation = declared?.kind === 'function' ? implementationOf(declared) : undefined;
    const symbol = (implementation ?? declared)?.symbol ?? variable.symbol;
    return symbol === undefined || local ? undefined : this.idIn(unit, symbol);
  }
}
