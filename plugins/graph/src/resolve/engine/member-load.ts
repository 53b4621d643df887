import type { Instruction } from '../instructions.js';
import type { Receiver } from '../node.js';
import type { Value } from '../values.js';
import { dereference } from './dereference.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';

export type Load = Extract<Instruction, { kind: 'load' }>;

/** Reads a member of each value of an object. */
export class MemberLoad implements Receiver {
  readonly #engine: Engine;
  readonly #load: Load;

  constructor(engine: Engine, load: Load) {
    this.#engine = engine;
    this.#load = load;
  }

  receive(value: Value): void {
    const { name, unit } = this.#load;
    if (this.#engine.templates.watch(value, unit, (each) => this.receive(each))) return;
    if (dereference(this.#engine, value, name, this.#load, (each) => this.#read(each))) return;
    this.#read(value);
  }

  #read(value: Value): void {
    const { name, isSuper, scope, node } = this.#load;
    for (const hit of this.#engine.members.find(value, { name, isSuper, scope, reads: true })) {
      flowHit(this.#engine, hit, node, this.#load);
      this.#engine.references.note(this.#load, hit);
    }
  }
}
