import { positional } from '../compile/keys.js';
import type { CallArgument } from '../instructions.js';
import type { Class, Func } from '../declarations.js';
import { DECLARED, Node } from '../node.js';
import type { Value } from '../values.js';
import { awaitAll } from './awaited-lists.js';
import { callArguments, operateOnElements } from './call-arguments.js';
import type { CallResult, Evidence } from './call-result.js';
import { copyMembers, makeObject } from './copy-members.js';
import type { Engine } from './engine.js';
import { assertArguments } from './guards.js';
import { Environment } from './environment.js';
import { inheritedCall } from './inherited-call.js';
import { accepts, chooseOverload, isConstructor, signaturesOf } from './overloads.js';
import { giveTested } from './tested-results.js';
import { callMemberOfArgument } from './protocol.js';
import { mentionsSelf } from './types.js';

/** Links calls to functions: object to `this`, arguments to parameters, result to result. */
export class CallLinking {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Links a call of a function through one of its members, with arguments of its own. */
  through(call: CallResult, func: Func, receiver: Value | undefined, args: readonly CallArgument[]): void {
    call.target(func, { reason: 'flow', open: false });
    this.pass(call, func, receiver, args);
  }

  /** Links a call to those of several functions of one name that it may mean. */
  link(call: CallResult, functions: readonly Func[], receiver: Value | undefined, evidence: Evidence): void {
    const { site } = call;
    if (!this.#engine.choices.affords(site.unit, functions)) return;
    // An extension that is called on its class gets its object as the first argument.
    const isOnClass = (func: Func): boolean =>
      func.code.extension === true && (receiver?.kind === 'class' || isOwnerOf(receiver, func));
    const object = functions.some(isOnClass) ? undefined : receiver;
    const fitting = chooseOverload(functions, site, object !== undefined);
    const [first] = fitting;
    const signatures = first && this.#engine.builtins.isFunction(first) ? [] : signaturesOf(functions);
    const link = (func: Func, among = 1): void =>
      this.#linkOne(call, func, object, among > 1 ? { ...evidence, among } : evidence);
    if (first?.code.decorators) this.#engine.dispatch.follow(first, link);
    const inherited = first && inheritedCall(this.#engine, call, first, receiver);
    // Where classes define operators, they may define conversions: of arguments, their number alone is certain.
    const isJudged = inherited && !first.unit.rules.operators?.place;
    if (inherited && !fitting.some((each) => accepts(each, site, object !== undefined))) inherited();
    else if ((fitting.length > 1 || isJudged) && first?.unit.rules.overloads === 'arguments') {
      const isUnbound = !object && first.receiver && (first.code.extension || !first.code.static);
      this.#engine.overloads.decide(
        fitting,
        site,
        isUnbound ? site.arguments.slice(1) : site.arguments,
        link,
        isJudged ? inherited : undefined,
      );
    } else if (fitting.length > 0 && signatures.length > 0) {
      for (const each of fitting) {
        if (each.code.hasBody) this.#linkOne(call, each, object, evidence, false);
        else call.target(each, evidence);
      }
      this.#engine.signatures.decide(signatures, site, (chosen) => {
        for (const each of chosen ?? fitting) {
          if (each.code.hasBody) this.#giveResult(call, each, object, site.result);
          else if (call.links(each, object)) this.pass(call, each, object);
        }
      });
    } else for (const each of fitting) link(each);
  }

  #linkOne(
    call: CallResult,
    func: Func,
    receiver: Value | undefined,
    evidence: Evidence,
    gives = true,
  ): void {
    const { builtins, values } = this.#engine;
    if (!call.links(func, receiver)) return;
    if (func.owner && builtins.isBuiltin(func.owner)) {
      const name = `${func.owner.name ?? ''}.${func.name ?? ''}`;
      if (!isConstructor(func)) call.addExternal(values.external('', name));
      this.#engine.derived.run(call, func, receiver);
      callMemberOfArgument(this.#engine, call.site, name);
      copyMembers(this.#engine, call.site, name);
      if (makeObject(this.#engine, call.site, name)) return;
      const remainder =
        this.#engine.keyedCalls.method(call, name, receiver) ?? awaitAll(this.#engine, call.site, name);
      if (remainder) {
        this.pass(call, func, receiver, remainder.arguments, remainder.gives);
        return;
      }
    } else call.target(this.#declared(func), evidence);
    this.pass(call, func, receiver, call.site.arguments, gives);
    if (gives || isConstructor(func)) return;
    // The functions that an implementation returns are known better than by the type of a signature.
    const functions = new Node().mark(DECLARED);
    this.#giveResult(call, func, receiver, functions);
    this.#engine.solver.copy(functions, call.site.result);
  }

  #giveResult(call: CallResult, func: Func, receiver: Value | undefined, to: Node): void {
    const { substitution, types } = this.#engine;
    substitution.copy(types.result(func), this.#environment(call, func, receiver), to);
  }

  /** A constructor that the text does not have stands for its class. */
  #declared(func: Func): Func | Class {
    const { owner } = func;
    return owner && func.symbol === undefined && isConstructor(func)
      ? this.#engine.classes.canonical(owner)
      : func;
  }

  /** Arguments to parameters, result to result. */
  pass(
    call: CallResult,
    func: Func,
    receiver: Value | undefined,
    given: readonly CallArgument[] = call.site.arguments,
    gives = true,
  ): void {
    const { solver, substitution, types, passing, builtins } = this.#engine;
    const { site } = call;
    const environment = this.#environment(call, func, receiver);
    // What a function returns of its arguments is that of this call.
    const isPlain = !func.code.async && !func.code.generator && !isConstructor(func);
    const returnsOwn = gives && func.passed && isPlain;
    const result = returnsOwn ? types.admitting(func.code.returns, func.scope, site.result) : undefined;
    let args = given;
    let start = 0;
    const { bindsFunctions } = func.unit.rules;
    if (receiver && bindsFunctions && !func.receiver && !func.owner && !builtins.isFunction(func)) {
      // The object is the first argument of a plain function.
      const node = new Node();
      solver.add(node, receiver);
      args = [positional(node), ...args];
    } else if (receiver && func.code.extension) this.#engine.extensions.receive(func, receiver, environment);
    else if (receiver) this.receive(func, receiver, result);
    else if (func.receiver && (bindsFunctions || !func.code.static) && !func.code.extension) {
      const [first, ...others] = args;
      if (first?.spread === 'list') {
        passing.passFirst(first, func.thisNode);
        if (func.receiver.returned && result) passing.passFirst(first, result);
        start = -1;
      } else if (first?.spread === undefined && first?.name === undefined) {
        if (first?.node) solver.copy(first.node, func.thisNode);
        if (first?.node && func.receiver.returned && result) solver.copy(first.node, result);
        args = others;
      }
    } else if (func.code.extension && func.receiver) {
      const [first, ...others] = args;
      if (first?.node) solver.copy(first.node, func.receiver.node);
      args = others;
    }
    assertArguments(this.#engine, func, args);
    passing.pass(func, args, { environment, origin: site, result }, start);
    if (this.#engine.builtins.isFunction(func)) {
      operateOnElements(this.#engine, site, func, environment);
      if (site.unit.rules.builtinsCall) callArguments(this.#engine, site, func, environment);
    }
    if (isConstructor(func) || !gives) return;
    substitution.copy(result ? types.ownResult(func) : types.result(func), environment, site.result);
    if (result) giveTested(this.#engine, func, start < 0 ? given : args, result);
  }

  /** The object that a function is called on, or that has the member which it reads or writes. */
  receive(func: Func, receiver: Value, result?: Node): void {
    const { rules } = func.unit;
    // A function inside another shares its object, unless functions have one of their own.
    const isShared = func.code.arrow === true || (!func.owner && !rules.functionsBindThis);
    if (func.receiver?.type || isShared) return;
    if (rules.receiver !== 'dynamic' && func.owner) return;
    const ofClass = func.code.static && receiver.kind === 'instance';
    const object = ofClass ? receiver.class : receiver;
    this.#engine.solver.add(func.thisNode, object);
    if (func.receiver?.returned && result) this.#engine.solver.add(result, object);
  }

  #environment(call: CallResult, func: Func, receiver: Value | undefined): Environment | undefined {
    const { environments, types, values } = this.#engine;
    const { site } = call;
    const instance = receiver?.kind === 'instance' ? receiver : undefined;
    // A static method that gives `static` gives an object of the class that it is called on.
    const ofClass = receiver?.kind === 'class' ? values.instance(receiver, [], false) : undefined;
    const self = receiver?.kind === 'external' ? receiver : (ofClass ?? instance);
    const outer = instance && func.owner ? environments.find(instance, func.owner) : undefined;
    const usesSelf = func.code.returns !== undefined && mentionsSelf(func.code.returns);
    if (func.generics.length === 0 && !usesSelf) return outer;
    const parameters = new Map(outer?.parameters);
    for (const [index, generic] of func.generics.entries()) {
      const written = site.types[index];
      parameters.set(generic, written ? types.node(written, site.scope) : call.inferredNode(generic));
    }
    const environment = new Environment(parameters, self);
    this.#engine.templates.note(func.unit, environment);
    return environment;
  }
}

/** True for the object that a bare name is a member of. */
function isOwnerOf(receiver: Value | undefined, { owner }: Func): boolean {
  return receiver?.kind === 'instance' && receiver.class === owner;
}
