import type { Class, Func } from '../declarations.js';
import type { Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { allOverloads, isConstructor } from './overloads.js';

/**
 * Links a call to what a class inherits from outside the project; undefined where it inherits nothing from there. Its own
 * functions of the name are not all that it has: `class Names extends ArrayList<String> { void add(String a, String b) }`.
 */
export function inheritedCall(
  engine: Engine,
  call: CallResult,
  func: Func,
  receiver: Value | undefined,
): (() => void) | undefined {
  const { builtins, classes, values } = engine;
  const container = classOf(receiver);
  const { name } = func;
  if (!container?.unit.rules.inheritsOverloads || name === undefined || isConstructor(func)) return undefined;
  if (!func.owner || builtins.isBuiltin(func.owner)) return undefined;
  const external = classes.externalAncestor(container);
  const known = classes
    .ancestors(container)
    .flatMap((each) => (builtins.isBuiltin(each.class) ? each.class : []));
  const [builtin] = known;
  if (!external && !builtin) return undefined;
  return () => {
    const functions = allOverloads(known, name);
    if (functions.length > 0) engine.linking.link(call, functions, receiver, { reason: 'type', open: false });
    else if (external) engine.calls.call(call, values.member(external, name), 'type');
    else engine.calls.call(call, values.external('', `${builtin?.name ?? ''}.${name}`), 'type');
  };
}

function classOf(value: Value | undefined): Class | undefined {
  if (value?.kind === 'class') return value;
  return value?.kind === 'instance' || value?.kind === 'self' ? value.class : undefined;
}
