import { positional } from '../compile/keys.js';
import type { Instruction } from '../instructions.js';
import { Node } from '../node.js';
import type { Engine } from './engine.js';
import { callProtocol } from './protocol.js';

/** Stores a value under a key of each value of an object, or calls the member that does. */
export function storeIndex(engine: Engine, instruction: Extract<Instruction, { kind: 'store_index' }>): void {
  const { solver, containers, functionObjects, namespaces, undecided } = engine;
  solver.watch(instruction.object, (value) => {
    const { key, computed, unit, origin, arguments: keys } = instruction;
    const { setIndex, changedIndex } = unit.rules.protocol ?? {};
    const all = [...keys, positional(instruction.value)];
    if (callProtocol(engine, value, setIndex, origin, new Node(), all)) return;
    if (callProtocol(engine, value, changedIndex, origin, new Node(), keys)) return;
    if (computed) containers.storeKey(value, computed);
    if (value.kind === 'instance') functionObjects.noteMethod(value, instruction.value);
    const store = (found: string | undefined): void => {
      if (value.kind === 'namespace') namespaces.store(value, found, instruction.value, origin);
      else containers.store(value, found, instruction.value);
    };
    if (!computed) store(key);
    else undecided.withKey(computed, store);
  });
}
