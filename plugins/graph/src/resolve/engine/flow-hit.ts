import type { Origin } from '../instructions.js';
import type { Node } from '../node.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import type { Hit } from './hit.js';

/** Passes the values of a member access to a node. Descriptors are read at a place of the source only. */
export function flowHit(engine: Engine, hit: Hit, to: Node, origin?: Origin): void {
  const { solver, values, types, environments, substitution, descriptors } = engine;
  switch (hit.kind) {
    case 'value':
      solver.add(to, hit.value);
      return;
    case 'node': {
      const { receiver, object } = hit;
      const add = (value: Value): void =>
        solver.add(to, receiver && value.kind === 'function' ? values.bound(value, receiver) : value);
      if (object && origin)
        solver.watch(hit.node, (value) => {
          if (!descriptors.read(value, object, origin, to)) add(value);
        });
      else if (receiver) solver.watch(hit.node, add);
      else solver.copy(hit.node, to);
      return;
    }
    case 'method': {
      const isUnbound =
        hit.receiver.kind === 'class' && !hit.ofMetaclass && !hit.functions.some((each) => each.code.static);
      for (const each of hit.functions) solver.add(to, isUnbound ? each : values.bound(each, hit.receiver));
      return;
    }
    case 'answer':
      if (origin && !hit.runs) engine.answers.call(hit, origin, to);
      return;
    case 'accessor': {
      const { receiver } = hit;
      const { owner } = hit.function;
      engine.linking.receive(hit.function, receiver);
      const environment =
        receiver.kind === 'instance' && owner ? environments.find(receiver, owner) : undefined;
      substitution.copy(types.result(hit.function), environment, to);
    }
  }
}
