import { Node } from '../node.js';
import type { CallSite } from '../instructions.js';
import type { Class, Func, GenericParameter } from '../program.js';
import type { Reason } from '../../model.js';
import type { External, Instance, Value } from '../values.js';
import type { Engine } from './engine.js';
import { Environment } from './environment.js';
import type { Hit } from './members.js';
import { functionOf } from './infer.js';
import { chooseOverload } from './overloads.js';
import { isGeneric, mentionsSelf } from './types.js';

export interface Evidence {
  readonly reason: Reason;
  /** Found on a value that may be of a subclass. */
  readonly open: boolean;
}

/** What is known of one call. */
export class CallResult {
  readonly site: CallSite;
  readonly targets = new Map<Func | Class, Evidence>();
  readonly externals = new Set<External>();
  /** Types that it converts a value to, where calling a type does that. */
  readonly conversions = new Set<Class>();
  /** Functions already linked, with their receivers. */
  readonly linked = new Map<Func | Class, Set<Value | undefined>>();
  /** Nodes of generic parameters that this call infers. */
  readonly inferred = new Map<GenericParameter, Node>();

  constructor(site: CallSite) {
    this.site = site;
  }
}

/** Links calls to what they call: arguments to parameters, results to results. */
export class Calls {
  readonly results: CallResult[] = [];
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(site: CallSite): CallResult {
    const call = new CallResult(site);
    this.results.push(call);
    const { solver, members } = this.#engine;
    const { callee } = site;
    switch (callee.kind) {
      case 'binding': {
        const { binding } = callee;
        if ('kind' in binding && binding.target?.kind === 'member') {
          const container = binding.target.class;
          const access = { name: binding.name, isSuper: false, scope: site.scope };
          const own = this.#engine.types.own(container);
          for (const hit of members.find(own, access)) this.#callHit(call, hit, 'scope', own);
          return call;
        }
        solver.watch(callee.node, (value) => this.call(call, value, this.#reasonOf(call, value)));
        return call;
      }
      case 'member': {
        const { name, isSuper } = callee;
        if (!callee.object) return call;
        solver.watch(callee.object, (value) => {
          for (const hit of members.find(value, { name, isSuper, scope: site.scope })) {
            this.#callHit(call, hit, 'type', value);
          }
          if (site.unit.rules.functionalInterfaces && (value.kind === 'function' || value.kind === 'bound')) {
            this.call(call, value, 'flow');
          }
        });
        solver.watch(callee.path, (value) => this.call(call, value, 'scope'));
        return call;
      }
      case 'constructor':
        solver.watch(callee.object, (value) => {
          if (value.kind !== 'instance') return;
          const { classes, typeNames } = this.#engine;
          const around = callee.isSuper ? typeNames.classOf(site.scope) : undefined;
          if (callee.isSuper && !around) return;
          const container = around ?? value.class;
          const after = around && classes.canonical(around);
          const constructors = classes.constructorsOf(value.class, after);
          if (constructors.length > 0) this.#link(call, constructors, value, { reason: 'type', open: false });
          else this.#noteSupertype(call, classes.canonical(container));
        });
        return call;
      case 'value':
        if (callee.node) solver.watch(callee.node, (value) => this.call(call, value, 'flow'));
        return call;
    }
  }

  /** `super()` where no supertype declares a constructor. */
  #noteSupertype(call: CallResult, container: Class): void {
    const [parent] = this.#engine.classes.supertypes(container);
    if (parent?.kind === 'external') call.externals.add(parent);
    else if (parent) this.#target(call, parent.class, { reason: 'type', open: false });
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

  #callHit(call: CallResult, hit: Hit, reason: Reason, receiver: Value): void {
    const { solver } = this.#engine;
    switch (hit.kind) {
      case 'method': {
        const open = receiver.kind !== 'class' && !(receiver.kind === 'instance' && receiver.exact);
        const isSuper = call.site.callee.kind === 'member' && call.site.callee.isSuper;
        const bound = hit.receiver.kind === 'class' && !hit.functions.some((each) => each.code.static);
        this.#link(call, hit.functions, bound ? undefined : hit.receiver, { reason, open: open && !isSuper });
        return;
      }
      case 'node':
        solver.watch(hit.node, (value) => {
          const declares = hit.variable?.declarations?.some((each) => each === value) === true;
          const evidence = declares ? (hit.inModule ? 'scope' : 'type') : 'flow';
          // A function in a field of a class is called on the object, as are methods that a decorator returns.
          const isMethod = value.kind === 'function' && receiver.kind === 'instance' && !hit.inModule;
          if (isMethod)
            this.#link(call, [value], receiver, { reason: value.owner ? 'type' : evidence, open: false });
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

  /** What reading an accessor gives. */
  #resultOf(func: Func, receiver: Value): Node {
    const { types, substitution, classes } = this.#engine;
    const environment =
      receiver.kind === 'instance' && func.owner ? classes.environment(receiver, func.owner) : undefined;
    return substitution.of(types.result(func), environment);
  }

  /** Links a call to one value of what it calls. */
  call(call: CallResult, value: Value, reason: Reason): void {
    const { solver, members, substitution } = this.#engine;
    const { site } = call;
    switch (value.kind) {
      case 'function':
        this.#link(call, overloadsOf(value), undefined, { reason, open: false });
        return;
      case 'bound':
        this.#link(call, [value.function], value.receiver, { reason, open: false });
        return;
      case 'class':
        this.#construct(call, this.#engine.classes.canonical(value), reason);
        return;
      case 'external':
        call.externals.add(value);
        solver.add(site.result, value);
        return;
      case 'signature':
        if (value.returns) substitution.copy(value.returns, undefined, site.result);
        return;
      case 'instance': {
        const name = site.unit.rules.callMember;
        if (name === undefined) return;
        for (const hit of members.find(value, { name, isSuper: false, scope: site.scope })) {
          this.#callHit(call, hit, 'type', value);
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
      case 'self':
    }
  }

  #construct(call: CallResult, container: Class, reason: Reason): void {
    const { solver, classes, values, builtins, types } = this.#engine;
    const { site } = call;
    const args = container.generics.map((generic, index) => {
      const written = site.types[index];
      return written ? types.node(written, site.scope) : this.#inferredNode(call, generic);
    });
    if (site.unit.rules.callConverts && !site.constructs) {
      this.#convert(call, values.instance(container, args, false, isGeneric(site.scope)));
      return;
    }
    const made = values.instance(container, args, true, isGeneric(site.scope));
    solver.add(site.result, made);
    if (builtins.isBuiltin(container)) {
      call.externals.add(values.external('', container.name ?? ''));
      const constructors = classes.constructorsOf(container);
      if (constructors.length > 0) this.#link(call, constructors, made, { reason, open: false });
      return;
    }
    const constructors = classes.constructorsOf(container);
    if (constructors.length > 0) this.#link(call, constructors, made, { reason, open: false });
    else this.#target(call, container, { reason, open: false });
    const taken = new Set(constructors.flatMap((each) => each.parameters.map((parameter) => parameter.name)));
    for (const { name, node } of site.arguments) {
      if (name === undefined || !node || (taken.has(name) && !site.unit.rules.fieldsByName)) continue;
      this.#engine.members.store(made, name, node);
      const field = classes.member(container, name, 'instance')?.variable;
      if (field?.type)
        this.#engine.infer.match(field.type, field.scope, node, classes.environment(made, container));
    }
  }

  /** A function that is converted is what calling an object of the type calls. */
  #convert({ site, conversions }: CallResult, made: Instance): void {
    const { solver, members } = this.#engine;
    conversions.add(made.class);
    solver.add(site.result, made);
    const { callMember } = site.unit.rules;
    const from = site.arguments[0]?.node;
    if (callMember === undefined || !from) return;
    const functions = new Node();
    members.store(made, callMember, functions);
    solver.watch(from, (value) => {
      if (functionOf(value)) solver.add(functions, value);
    });
  }

  #inferredNode(call: CallResult, generic: GenericParameter): Node {
    let node = call.inferred.get(generic);
    if (!node) call.inferred.set(generic, (node = new Node()));
    return node;
  }

  #target(call: CallResult, target: Func | Class, evidence: Evidence): void {
    const known = call.targets.get(target);
    if (!known || rank(evidence.reason) > rank(known.reason)) call.targets.set(target, evidence);
  }

  #link(call: CallResult, functions: readonly Func[], receiver: Value | undefined, evidence: Evidence): void {
    const { builtins, values } = this.#engine;
    const chosen = chooseOverload(functions, call.site, receiver !== undefined);
    for (const func of chosen) {
      let receivers = call.linked.get(func);
      if (!receivers) call.linked.set(func, (receivers = new Set()));
      if (receivers.has(receiver)) continue;
      receivers.add(receiver);
      if (func.owner && builtins.isBuiltin(func.owner)) {
        const isConstructor = func.name === '@new';
        if (!isConstructor)
          call.externals.add(values.external('', `${func.owner.name ?? ''}.${func.name ?? ''}`));
      } else this.#target(call, func, evidence);
      this.#pass(call, func, receiver);
    }
  }

  /** Arguments to parameters, result to result. */
  #pass(call: CallResult, func: Func, receiver: Value | undefined): void {
    const { solver, substitution, types, passing } = this.#engine;
    const { site } = call;
    const environment = this.#environment(call, func, receiver);
    let args = site.arguments;
    if (receiver) this.#receive(func, receiver);
    else if (func.receiver && !func.code.static && !func.code.extension) {
      const [first, ...others] = args;
      if (first?.node) solver.copy(first.node, func.thisNode);
      args = others;
    } else if (func.code.extension && func.receiver) {
      const [first, ...others] = args;
      if (first?.node) solver.copy(first.node, func.receiver.node);
      args = others;
    }
    passing.pass(func, args, environment);
    if (isConstructor(func)) return;
    substitution.copy(types.result(func), environment, site.result);
  }

  /** The object that a function is called on. */
  #receive(func: Func, receiver: Value): void {
    const { rules } = func.unit;
    if (func.receiver?.type) return;
    if (rules.receiver === 'dynamic' || !func.owner) this.#engine.solver.add(func.thisNode, receiver);
  }

  #environment(call: CallResult, func: Func, receiver: Value | undefined): Environment | undefined {
    const { classes, types } = this.#engine;
    const { site } = call;
    const instance = receiver?.kind === 'instance' ? receiver : undefined;
    const outer = instance && func.owner ? classes.environment(instance, func.owner) : undefined;
    const usesSelf = func.code.returns !== undefined && mentionsSelf(func.code.returns);
    if (func.generics.length === 0 && !usesSelf) return outer;
    const parameters = new Map(outer?.parameters);
    for (const [index, generic] of func.generics.entries()) {
      const written = site.types[index];
      parameters.set(generic, written ? types.node(written, site.scope) : this.#inferredNode(call, generic));
    }
    return new Environment(parameters, instance);
  }
}

const RANKS: Readonly<Record<Reason, number>> = {
  unique_name: 0,
  hierarchy: 1,
  flow: 2,
  type: 3,
  scope: 4,
  import: 5,
};

function rank(reason: Reason): number {
  return RANKS[reason];
}

/** Functions that a call of one may mean. */
function overloadsOf(func: Func): readonly Func[] {
  return func.unit.rules.overloads && func.overloads ? func.overloads : [func];
}

function isConstructor(func: Func): boolean {
  return func.code.constructor_ === true || func.unit.rules.constructors?.includes(func.name ?? '') === true;
}
