import { methodKey } from '../compile/keys.js';
import type { Func } from '../declarations.js';
import type { CallSite } from '../instructions.js';
import { Node } from '../node.js';
import { functionAround } from '../program.js';
import type { Reason } from '../../model.js';
import type { Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import type { Hit } from './hit.js';

/** Links a call to what a member access finds on a value. */
export function callHit(
  engine: Engine,
  call: CallResult,
  hit: Hit,
  { reason, receiver: given }: { readonly reason: Reason; readonly receiver: Value },
): void {
  const receiver = given.kind === 'super' ? given.object : given;
  const { solver, calls, linking, descriptors } = engine;
  noteSubtypes(engine, call, hit, given);
  switch (hit.kind) {
    case 'method': {
      if (engine.traitCalls.link(call, hit)) return;
      const isKnown =
        receiver.kind === 'class'
          ? !isLate(call.site)
          : receiver.kind === 'instance' && isFinal(receiver) && !isAbstract(hit);
      const { callee } = call.site;
      const isSuper =
        given.kind === 'super' || (callee.kind === 'member' && (callee.isSuper || callee.isInherited));
      const unbound =
        hit.receiver.kind === 'class' &&
        !hit.ofMetaclass &&
        hit.functions.some((each) => each.receiver && !each.code.static);
      linking.link(call, hit.functions, unbound ? undefined : hit.receiver, {
        reason,
        open: !isKnown && !isSuper,
      });
      return;
    }
    case 'node':
      if (hit.variable) call.use({ variable: hit.variable, reason: hit.inModule ? 'scope' : 'type' });
      solver.watch(hit.node, (value) => {
        if (hit.object) {
          const read = new Node();
          if (descriptors.read(value, hit.object, call.site, read)) {
            solver.watch(read, (each) => calls.call(call, each, 'flow'));
            return;
          }
        }
        const declares = hit.variable?.declarations?.some((each) => each === value) === true;
        const evidence = declares ? (hit.inModule ? 'scope' : 'type') : 'flow';
        // A function in a field of a class is called on the object, as are methods that a decorator returns.
        const isMethod = value.kind === 'function' && receiver.kind === 'instance' && !hit.inModule;
        const binds = call.site.unit.rules.bindsFunctions && isMethod && !value.owner;
        const object = hit.receiver ?? (binds ? undefined : receiver);
        if (value.kind === 'function' && (isMethod || hit.receiver))
          linking.link(call, [value], object, {
            reason: value.owner && hit.receiver ? 'type' : evidence,
            open: false,
          });
        else calls.call(call, value, evidence);
      });
      return;
    case 'accessor':
      linking.receive(hit.function, hit.receiver);
      solver.watch(resultOf(engine, hit.function, hit.receiver), (value) => calls.call(call, value, 'flow'));
      return;
    case 'answer': {
      if (hit.runs) {
        engine.answers.run(hit, call);
        return;
      }
      const result = new Node();
      engine.answers.call(hit, call.site, result);
      solver.watch(result, (value) => calls.call(call, value, 'flow'));
      return;
    }
    case 'value':
      if (hit.value.kind === 'external' && engine.creation.callRoot(call, hit.value, receiver))
        call.addExternal(hit.value);
      else calls.call(call, hit.value, 'scope');
  }
}

/** A member that a class of the project inherits from outside may be one that its subtypes declare. */
function noteSubtypes({ builtins }: Engine, call: CallResult, hit: Hit, given: Value): void {
  const { unit, callee } = call.site;
  if (!unit.rules.callsByType || given.kind === 'super' || (callee.kind === 'member' && callee.isSuper))
    return;
  const isInherited =
    hit.kind === 'method'
      ? builtins.isBuiltin(hit.owner)
      : hit.kind === 'value' && hit.value.kind === 'external';
  const receiver = hit.kind === 'method' ? hit.receiver : given;
  if (!isInherited || receiver.kind !== 'instance' || isFinal(receiver)) return;
  const key = methodKey(call.site.name ?? '', unit.rules);
  if (!builtins.isBuiltin(receiver.class)) call.addInherited({ class: receiver.class, key });
}

/** The result of reading an accessor. */
function resultOf({ types, substitution, environments }: Engine, func: Func, receiver: Value): Node {
  const environment =
    receiver.kind === 'instance' && func.owner ? environments.find(receiver, func.owner) : undefined;
  return substitution.of(types.result(func), environment);
}

/** True for a call on the class that a static method is called on: `static::a()`. */
function isLate({ unit, scope, callee }: CallSite): boolean {
  if (!unit.rules.lateStatic || callee.kind !== 'member') return false;
  const around = functionAround(scope);
  return around !== undefined && callee.object === around.thisNode;
}

/** True for a method that an object has from an interface which its class embeds: any implementation may run. */
function isAbstract({ functions, owner }: Extract<Hit, { kind: 'method' }>): boolean {
  return owner.code.form === 'interface' && !functions.some(({ code }) => code.hasBody);
}

/** True where an object is certain not to be of a subtype. */
function isFinal({ exact, class: container }: Instance): boolean {
  const { form } = container.code;
  return exact || (container.unit.rules.finalClasses === true && form !== 'interface' && form !== 'trait');
}
