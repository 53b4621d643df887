import type { Node } from '../node.js';
import type { CallSite } from '../instructions.js';
import type { Class } from '../declarations.js';
import type { MemberTarget, Target, Unit } from '../program.js';
import type { Reason } from '../../model.js';
import { functionOf, type Value } from '../values.js';
import { alternativesOf } from './alternatives.js';
import { CallResult } from './call-result.js';
import { CalleeWatcher, type CalleeRole } from './callee-watcher.js';
import { dereference } from './dereference.js';
import type { Engine } from './engine.js';
import type { Hit } from './hit.js';
import { isInside } from './overloads.js';
import { callHit } from './call-hit.js';
import { callValue } from './call-value.js';

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
    if (site.element) solver.watch(site.element, new CalleeWatcher(this, call, 'value'));
    const constructed = this.#constructed(site);
    if (constructed) {
      this.call(call, constructed, 'scope');
      return call;
    }
    switch (callee.kind) {
      case 'binding': {
        const { binding } = callee;
        const found = 'kind' in binding ? binding.target : null;
        if (found?.kind === 'external' && found.isType && !site.constructs) return call;
        if ('kind' in binding && binding.target?.kind === 'member') {
          const { class: container, isStatic } = binding.target;
          const access = { name: binding.name, isSuper: false, scope: site.scope, isBare: true } as const;
          const own = isStatic ? container : this.#engine.types.own(container);
          for (const hit of members.find(own, access)) this.hit(call, hit, 'scope', own);
          this.#callOnThis(call, binding.name, callee.object, own);
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

  /** The class of the project that `new A<B>()` names. */
  #constructed({ constructed = [], scope, types }: CallSite): Class | undefined {
    if (constructed.length === 0) return undefined;
    const found = this.#engine.typeNames.find(constructed, scope, types.length);
    if (found?.kind !== 'class' || this.#engine.builtins.isBuiltin(found.class)) return undefined;
    return found.class;
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
        if (!isDefinedElsewhere(this.#engine, value)) this.call(call, value, 'scope');
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
    if (value.kind === 'namespace') {
      this.#engine.namespaces.call(call, value, callee.name);
      return;
    }
    if (this.#engine.templates.watch(value, call.site.unit, (each) => this.#callMember(call, each))) return;
    const { members, extensions, traits, conversions, functionObjects, linking } = this.#engine;
    const { name, isSuper } = callee;
    const found = [...extensions.find(value, name, site.scope), ...traits.find(value, name, site.unit.rules)];
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
    if (!isFunction || !site.unit.rules.functionalInterfaces) return;
    const isOther = callee.object?.values?.some((each) => this.#hasOther(each, site.name));
    if (!isOther) this.call(call, value, 'flow');
  }

  /** True for a functional interface of which the function that it stands for has another name. */
  #hasOther(type: Value, name: string | undefined): boolean {
    const method =
      type.kind === 'instance' ? this.#engine.infer.implementations.onlyMethod(type.class) : undefined;
    return method !== undefined && method.name !== name;
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
        else if (value.kind === 'signature') convertToDelegate(this.#engine, call);
      });
    }
  }

  /** A bare name is a method of the object, whatever its class. `own`: an object of the class around the call, which is linked. */
  #callOnThis(call: CallResult, name: string, object: Node | undefined, own?: Value): void {
    const { bareNames, receiver } = call.site.unit.rules;
    if (!object || bareNames !== 'members' || receiver !== 'dynamic') return;
    const access = { name, isSuper: false, scope: call.site.scope };
    this.#engine.solver.watch(object, (value) => {
      if (value === own) return;
      for (const hit of this.#engine.members.find(value, access)) this.hit(call, hit, 'type', value);
    });
  }

  /** `super()` where no supertype declares a constructor. */
  #noteSupertype(call: CallResult, container: Class): void {
    const parents = this.#engine.classes.declaredSupertypes(container);
    const parent = parents.find(
      ({ relation, value }) => relation !== 'implements' && !isInterface(value),
    )?.value;
    if (parent?.kind === 'external') call.addExternal(parent);
    else if (parent) call.target(parent.class, { reason: 'type', open: false });
  }

  #reasonOf({ site }: CallResult, value: Value): Reason {
    if (site.callee.kind !== 'binding') return 'flow';
    const { binding } = site.callee;
    const named = 'kind' in binding ? [binding.target] : alternativesOf(this.#engine, binding);
    const isDeclared = named.some((each) =>
      each?.kind === 'variable' ? each.variable.declarations?.some((one) => one === value) : each,
    );
    return isDeclared ? 'scope' : 'flow';
  }

  /** Links a call to what a member access finds. */
  hit(call: CallResult, hit: Hit, reason: Reason, receiver: Value): void {
    callHit(this.#engine, call, hit, { reason, receiver });
  }

  /** Links a call to one value of what it calls. */
  call(call: CallResult, value: Value, reason: Reason): void {
    callValue(this.#engine, call, value, reason);
  }
}

function isInterface(value: Value): boolean {
  return value.kind === 'instance' && value.class.code.form === 'interface';
}

/** `new Compare(byName)` of a type of functions is the function that it is given. */
function convertToDelegate({ solver }: Engine, call: CallResult): void {
  const [argument] = call.site.arguments;
  if (!call.site.constructs || !argument?.node) return;
  call.isConversion = true;
  solver.copy(argument.node, call.site.result);
}

/** True for the prototype of a member that another file defines: `static A make();` beside `A A::make() { … }`. */
function isDefinedElsewhere({ classes }: Engine, value: Value): boolean {
  const func = functionOf(value);
  if (!func?.owner || func.code.hasBody || !func.unit.rules.prototypes) return false;
  const found = classes.member(classes.canonical(func.owner), func.name ?? '', 'static');
  const declared = found?.variable.declarations ?? [];
  const count = func.parameters.length;
  return declared.some(
    (each) => each.kind === 'function' && each.code.hasBody && each.parameters.length === count,
  );
}
