import type { CallSite } from '../instructions.js';
import type { Reason } from '../../model.js';
import type { Class } from '../declarations.js';
import type { Value } from '../values.js';
import { callBesideArguments } from './argument-lookup.js';
import { callHit } from './call-hit.js';
import { CallResult } from './call-result.js';
import { isConstructed } from './constructed-fields.js';
import type { Engine } from './engine.js';
import { fittingBuiltin, overloadsOf } from './overloads.js';
import { bindArguments, bindArgumentsOf } from './partial.js';
import { callMemberOfArgument } from './protocol.js';
import { matchSignature } from './signature-arguments.js';

/** Links a call to one value of what it calls. */
export function callValue(engine: Engine, call: CallResult, value: Value, reason: Reason): void {
  const { solver, members, substitution } = engine;
  const { site } = call;
  if (site.implicit && site.constructs && !isConstructed(engine, site, value)) return;
  switch (value.kind) {
    case 'function': {
      if (site.constructed || !call.meets(value, reason)) return;
      if (value.overloads && value.overloads.length > 1 && engine.choices.isSpent(site.unit, value.unit))
        return;
      const constructs = site.constructs && value.unit.rules.functionObjects;
      const made = constructs ? engine.functionObjects.construct(call, value) : undefined;
      engine.linking.link(call, overloadsOf(value, site.unit), made, { reason, open: false });
      return;
    }
    case 'bound':
      if (value.given) {
        engine.linking.through(call, value.function, value.receiver, [...value.given, ...site.arguments]);
        return;
      }
      engine.linking.link(call, [value.function], value.receiver, { reason, open: false });
      return;
    case 'class':
      if (bindArgumentsOf(engine, site, value)) {
        call.target(engine.construction.maker(value) ?? value, { reason, open: false });
        return;
      }
      if (constructMixing(engine, call, value, reason) || engine.creation.callClass(call, value)) return;
      if (engine.builtins.isBuiltin(value)) callMemberOfArgument(engine, site, value.name);
      engine.construction.construct(call, engine.classes.canonical(value), reason);
      return;
    case 'registrar':
      engine.dispatch.register(call, value);
      return;
    case 'partial': {
      const whole = new CallResult({ ...site, arguments: [...value.given, ...site.arguments] });
      callValue(engine, whole, value.class, reason);
      for (const { target, evidence } of whole.targets) call.target(target, evidence);
      for (const each of whole.externals) call.addExternal(each);
      return;
    }
    case 'external': {
      call.addExternal(value);
      callBesideArguments(engine, call);
      engine.traitCalls.linkExternal(call, value);
      if (value.module === '') {
        callMemberOfArgument(engine, site, value.name);
        engine.namedMembers.note(site, value.name);
      }
      if (engine.namespaces.give(site, value) || engine.construction.makeGiven(call, value)) return;
      const builtin = engine.builtins.named(site.unit.rules, value);
      if (builtin?.kind === 'class') engine.construction.construct(call, builtin, reason);
      else if (builtin) {
        if (!bindArguments(engine, site, value))
          engine.linking.pass(call, fittingBuiltin(builtin, site), undefined);
      } else if (value.module === '' && value.name === site.unit.rules.namedAccess?.read)
        engine.undecided.add(() => {
          if (!site.result.values) solver.add(site.result, value);
        });
      else solver.add(site.result, value);
      return;
    }
    case 'signature':
      if (value.returns) substitution.copy(value.returns, undefined, site.result);
      matchSignature(engine, value, site.arguments);
      return;
    case 'instance': {
      const { callMember, constructMember, fieldsInOrder } = site.unit.rules;
      const name = site.constructs ? constructMember : callMember;
      // `engine_(4)` among the initializers of a constructor.
      if (site.constructs && fieldsInOrder) engine.construction.construct(call, value.class, 'type');
      if (name === undefined || !call.links(value, undefined)) return;
      for (const hit of members.find(value, { name, isSuper: false, scope: site.scope })) {
        callHit(engine, call, hit, { reason: 'type', receiver: value });
      }
      return;
    }
    case 'parameter':
      if (engine.templates.watch(value, site.unit, (each) => callValue(engine, call, each, reason))) return;
      for (const bound of value.allBounds) {
        solver.watch(engine.types.node(bound.type, bound.scope), (each) => {
          if (each !== value) callValue(engine, call, each, reason);
        });
      }
      return;
    case 'module': {
      const name = calledName(site);
      if (name === undefined || !site.unit.rules.functionsBesideModules) return;
      for (const hit of members.find(value, { name, isSuper: false, scope: site.scope }))
        if (hit.kind === 'node')
          solver.watch(
            hit.node,
            (each) => void (each.kind === 'function' && callValue(engine, call, each, reason)),
          );
      return;
    }
    case 'namespace':
    case 'super':
    case 'conversion':
    case 'self':
  }
}

/** The last name of what is called. */
function calledName({ callee }: CallSite): string | undefined {
  if (callee.kind === 'binding') return callee.binding.name;
  return callee.kind === 'member' ? callee.name : undefined;
}

/** `new static()` in a trait makes objects of the classes that use it. */
function constructMixing(engine: Engine, call: CallResult, value: Class, reason: Reason): boolean {
  if (!call.site.constructs || value.code.form !== 'trait') return false;
  const classes = engine.mixing
    .objectsOf(value)
    .flatMap((each) => (each.kind === 'instance' ? [each.class] : []));
  for (const each of classes) callValue(engine, call, each, reason);
  return classes.length > 0;
}
