import type { Node } from '../node.js';
import type { CallSite } from '../instructions.js';
import type { Class, Func } from '../declarations.js';
import type { MemberTarget, Scope, Target, Unit } from '../program.js';
import type { Reason } from '../../model.js';
import type { Instance, Value } from '../values.js';
import { CallResult } from './call-result.js';
import { CalleeWatcher, type CalleeRole } from './callee-watcher.js';
import { dereference } from './dereference.js';
import type { Engine } from './engine.js';
import type { Hit } from './members.js';
import { isInside, overloadsOf } from './overloads.js';
import { bindArguments } from './partial.js';
import { callMemberOfArgument } from './protocol.js';

/** Links calls to what they call: arguments to parameters, results to results. */
export class Calls {
  readonly #engine: Engine;
  readonly #results = new Map<Unit, CallResult[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Facts about the calls of a file. */
  in(unit: Unit): readonly CallResult[] {
    return this.#results.get(unit) ?? [];
  }

  add(site: CallSite): CallResult {
    const call = new CallResult(site);
    const results = this.#results.get(site.unit);
    if (results) results.push(call);
    else this.#results.set(site.unit, [call]);
    const { solver, members } = this.#engine;
    const { callee } = site;
    switch (callee.kind) {
      case 'binding': {
        const { binding } = callee;
        const found = 'kind' in binding ? binding.target : null;
        if (found?.kind === 'external' && found.isType && !site.constructs) return call;
        if ('kind' in binding && binding.target?.kind === 'member') {
          const container = binding.target.class;
          const access = { name: binding.name, isSuper: false, scope: site.scope };
          const own = this.#engine.types.own(container);
          for (const hit of members.find(own, access)) this.hit(call, hit, 'scope', own);
          return call;
        }
        solver.watch(callee.node, new CalleeWatcher(this, call, 'named'));
        if ('kind' in binding && !binding.target) this.#callOnThis(call, binding.name, callee.object);
        this.#constructAlias(
          call,
          'kind' in binding ? binding.target : { kind: 'variable', variable: binding },
        );
        return call;
      }
      case 'member':
        if (!callee.object) return call;
        solver.watch(callee.object, new CalleeWatcher(this, call, 'object'));
        if (callee.path) solver.watch(callee.path, new CalleeWatcher(this, call, 'path'));
        return call;
      case 'constructor':
        solver.watch(callee.object, new CalleeWatcher(this, call, 'constructed'));
        return call;
      case 'value':
        if (callee.node) solver.watch(callee.node, new CalleeWatcher(this, call, 'value'));
        return call;
    }
  }

  /** Links a call to a value of its callee. */
  receive(call: CallResult, role: CalleeRole, value: Value): void {
    switch (role) {
      case 'named':
        this.call(call, value, this.#reasonOf(call, value));
        return;
      case 'object':
        this.#callMember(call, value);
        return;
      case 'path':
        this.call(call, value, 'scope');
        return;
      case 'constructed':
        this.#callConstructor(call, value);
        return;
      case 'value':
        this.call(call, value, 'flow');
    }
  }

  #callMember(call: CallResult, value: Value): void {
    const { site } = call;
    const { callee } = site;
    if (callee.kind !== 'member') return;
    const { members, extensions, traits, conversions, functionObjects, linking } = this.#engine;
    const { name, isSuper } = callee;
    const found = [
      ...extensions.find(value, name, site.unit.rules),
      ...traits.find(value, name, site.unit.rules),
    ];
    if (found.length > 0) {
      linking.link(call, found, value, { reason: 'type', open: false });
      return;
    }
    if (!isSuper && conversions.start(call, value, name)) return;
    if (dereference(this.#engine, value, name, site, (each) => this.#callMember(call, each))) return;
    for (const hit of members.find(value, { name, isSuper, scope: site.scope })) {
      this.hit(call, hit, 'type', value);
    }
    const isFunction = value.kind === 'function' || value.kind === 'bound';
    if (isFunction && functionObjects.callThrough(call, value, name)) return;
    if (isFunction && site.unit.rules.functionalInterfaces) this.call(call, value, 'flow');
  }

  /** `this(…)` and `super(…)` in a constructor. */
  #callConstructor(call: CallResult, value: Value): void {
    const { site } = call;
    const isSuper = site.callee.kind === 'constructor' && site.callee.isSuper;
    if (value.kind === 'class' && !isSuper) this.call(call, value, 'type');
    if (value.kind !== 'instance') return;
    const { classes, typeNames, linking } = this.#engine;
    const around = isSuper ? typeNames.classOf(site.scope) : undefined;
    if (isSuper && !around) return;
    const container = around ?? value.class;
    const after = around && classes.canonical(around);
    const constructors = classes
      .constructorsOf(value.class, after)
      .filter((each) => !isInside(site.scope, each));
    if (constructors.length > 0) linking.link(call, constructors, value, { reason: 'type', open: false });
    else this.#noteSupertype(call, classes.canonical(container));
  }

  /** `using A = B<C>; A(1)` */
  #constructAlias(call: CallResult, target: Target | MemberTarget | null): void {
    if (target?.kind !== 'variable') return;
    const { bindings, solver, types } = this.#engine;
    const found = bindings.follow(target);
    if (found.kind !== 'variable') return;
    for (const each of found.variable.declarations ?? []) {
      if (each.kind !== 'alias' || each.parameters.length > 0) continue;
      solver.watch(types.node(each.type, each.scope), (value) => {
        if (value.kind === 'instance') this.call(call, value.class, 'scope');
      });
    }
  }

  /** A bare name that no class around it has: a method of the object, whatever its class. */
  #callOnThis(call: CallResult, name: string, object: Node | undefined): void {
    const { bareNames, receiver } = call.site.unit.rules;
    if (!object || bareNames !== 'members' || receiver !== 'dynamic') return;
    const access = { name, isSuper: false, scope: call.site.scope };
    this.#engine.solver.watch(object, (value) => {
      for (const hit of this.#engine.members.find(value, access)) this.hit(call, hit, 'type', value);
    });
  }

  /** `super()` where no supertype declares a constructor. */
  #noteSupertype(call: CallResult, container: Class): void {
    const [parent] = this.#engine.classes.supertypes(container);
    if (parent?.kind === 'external') call.addExternal(parent);
    else if (parent) call.target(parent.class, { reason: 'type', open: false });
  }

  #reasonOf({ site }: CallResult, value: Value): Reason {
    if (site.callee.kind !== 'binding') return 'flow';
    const { binding } = site.callee;
    const target =
      'kind' in binding
        ? binding.target
        : this.#engine.bindings.follow({ kind: 'variable', variable: binding });
    if (target?.kind !== 'variable') return target ? 'scope' : 'flow';
    return target.variable.declarations?.some((each) => each === value) ? 'scope' : 'flow';
  }

  /** Links a call to what a member access finds. */
  hit(call: CallResult, hit: Hit, reason: Reason, receiver: Value): void {
    const { solver } = this.#engine;
    switch (hit.kind) {
      case 'method': {
        if (this.#engine.traitCalls.link(call, hit)) return;
        const isKnown =
          receiver.kind === 'class' ? !isLate(call.site) : receiver.kind === 'instance' && isFinal(receiver);
        const { callee } = call.site;
        const isSuper = callee.kind === 'member' && (callee.isSuper || callee.isInherited);
        const unbound =
          hit.receiver.kind === 'class' && hit.functions.some((each) => each.receiver && !each.code.static);
        this.#engine.linking.link(call, hit.functions, unbound ? undefined : hit.receiver, {
          reason,
          open: !isKnown && !isSuper,
        });
        return;
      }
      case 'node':
        solver.watch(hit.node, (value) => {
          const declares = hit.variable?.declarations?.some((each) => each === value) === true;
          const evidence = declares ? (hit.inModule ? 'scope' : 'type') : 'flow';
          // A function in a field of a class is called on the object, as are methods that a decorator returns.
          const isMethod = value.kind === 'function' && receiver.kind === 'instance' && !hit.inModule;
          const binds = call.site.unit.rules.bindsFunctions && isMethod && !value.owner;
          const object = hit.receiver ?? (binds ? undefined : receiver);
          if (value.kind === 'function' && (isMethod || hit.receiver))
            this.#engine.linking.link(call, [value], object, {
              reason: value.owner ? 'type' : evidence,
              open: false,
            });
          else this.call(call, value, evidence);
        });
        return;
      case 'accessor':
        solver.watch(this.#resultOf(hit.function, hit.receiver), (value) => this.call(call, value, 'flow'));
        return;
      case 'value':
        this.call(call, hit.value, 'scope');
    }
  }

  /** The result of reading an accessor. */
  #resultOf(func: Func, receiver: Value): Node {
    const { types, substitution, environments } = this.#engine;
    const environment =
      receiver.kind === 'instance' && func.owner ? environments.find(receiver, func.owner) : undefined;
    return substitution.of(types.result(func), environment);
  }

  /** Links a call to one value of what it calls. */
  call(call: CallResult, value: Value, reason: Reason): void {
    const { solver, members, substitution } = this.#engine;
    const { site } = call;
    if (site.implicit && site.constructs && value.kind !== 'class' && value.kind !== 'external') return;
    switch (value.kind) {
      case 'function': {
        const constructs = site.constructs && value.unit.rules.functionObjects;
        const made = constructs ? this.#engine.functionObjects.construct(call, value) : undefined;
        this.#engine.linking.link(call, overloadsOf(value), made, { reason, open: false });
        return;
      }
      case 'bound':
        if (value.given) {
          this.#engine.linking.through(call, value.function, value.receiver, [
            ...value.given,
            ...site.arguments,
          ]);
          return;
        }
        this.#engine.linking.link(call, [value.function], value.receiver, { reason, open: false });
        return;
      case 'class':
        if (this.#engine.builtins.isBuiltin(value)) callMemberOfArgument(this.#engine, site, value.name);
        this.#engine.construction.construct(call, this.#engine.classes.canonical(value), reason);
        return;
      case 'external': {
        call.addExternal(value);
        if (value.module === '') callMemberOfArgument(this.#engine, site, value.name);
        const builtin = this.#engine.builtins.named(site.unit.rules, value);
        if (builtin?.kind === 'class') this.#engine.construction.construct(call, builtin, reason);
        else if (builtin) {
          if (!bindArguments(this.#engine, site, value)) this.#engine.linking.pass(call, builtin, undefined);
        } else solver.add(site.result, value);
        return;
      }
      case 'signature':
        if (value.returns) substitution.copy(value.returns, undefined, site.result);
        return;
      case 'instance': {
        const { callMember: name, fieldsInOrder } = site.unit.rules;
        // `engine_(4)` among the initializers of a constructor.
        if (site.constructs && fieldsInOrder) this.#engine.construction.construct(call, value.class, reason);
        if (name === undefined || site.constructs || !call.links(value, undefined)) return;
        for (const hit of members.find(value, { name, isSuper: false, scope: site.scope })) {
          this.hit(call, hit, 'type', value);
        }
        return;
      }
      case 'parameter':
        for (const bound of value.bounds) {
          solver.watch(this.#engine.types.node(bound, value.scope), (each) => {
            if (each !== value) this.call(call, each, reason);
          });
        }
        return;
      case 'module':
      case 'conversion':
      case 'self':
    }
  }
}

/** True for a call on the class that a static method is called on: `static::a()`. */
function isLate({ unit, scope, callee }: CallSite): boolean {
  if (!unit.rules.lateStatic || callee.kind !== 'member') return false;
  let around: Scope | null = scope;
  while (around && !around.function) around = around.parent;
  return around !== null && callee.object === around.function?.thisNode;
}

/** True where an object is certain not to be of a subtype. */
function isFinal({ exact, class: container }: Instance): boolean {
  const { form } = container.code;
  return exact || (container.unit.rules.finalClasses === true && form !== 'interface' && form !== 'trait');
}
