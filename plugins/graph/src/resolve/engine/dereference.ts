import type { Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import { callProtocol, unwrap } from './protocol.js';

/** Objects that give one another are followed this far. */
const MAX_STEPS = 4;

/**
 * Calls back with the objects that have a member which a value lacks: `deref` of Rust and `operator->` of C++ give them.
 * False where the value has the member itself, or gives no other object.
 */
export function dereference(
  engine: Engine,
  given: Value,
  name: string,
  origin: Origin,
  use: (value: Value) => void,
  steps = 0,
): boolean {
  const { dereference: method, protocol } = origin.unit.rules;
  const value = given.kind === 'self' ? engine.types.own(given.class) : given;
  if (method === undefined || value.kind !== 'instance' || steps > MAX_STEPS) return false;
  if (engine.classes.member(value.class, name, 'instance')) return false;
  const target = new Node();
  if (!callProtocol(engine, value, method, origin, target)) return false;
  let object = target;
  if (protocol?.dereference !== undefined) {
    // `operator->` gives a pointer to the object.
    object = new Node();
    engine.solver.watch(target, (each) => unwrap(engine, each, object));
  }
  engine.solver.watch(object, (each) => {
    if (each !== value && !dereference(engine, each, name, origin, use, steps + 1)) use(each);
  });
  return true;
}
