import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import type { Class, Func, GenericParameter } from '../declarations.js';
import type { Scope } from '../program.js';
import { functionOf, type Value } from '../values.js';
import type { Engine } from './engine.js';
import { Environment } from './environment.js';
import { matchGuard, settleGuard } from './guards.js';
import { utilityNode, utilityOf } from './utility-types.js';
import { Implementations } from './implementations.js';
import { indexMember } from './index-members.js';
import { callSignature } from './signature-arguments.js';
import { ClassMatch, elementsOf, Match, matchConstructor, matchEntries } from './match.js';

/** Aliases of types are followed this far. */
const MAX_NESTING = 8;

/**
 * Matches values with the declared type that they flow into: finds out what generic parameters stand for, and gives
 * functions without declared parameters the types that are expected of them.
 */
export class Inference {
  readonly implementations: Implementations;
  readonly #engine: Engine;
  /** Most types are matched with one node. */
  readonly #matched = new Map<code.Type, Node | Set<Node>>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.implementations = new Implementations(engine);
  }

  /** Values for a generic parameter. A type that is written down takes functions only. */
  into(from: Node, to: Node): void {
    this.#engine.solver.copy(from, to.traits?.storage ?? to);
  }

  match(type: code.Type, scope: Scope, from: Node, environment: Environment | undefined, nesting = 0): void {
    if (nesting > MAX_NESTING || (!environment && !this.#isNew(type, from))) return;
    switch (type.kind) {
      case 'named':
        this.#matchNamed(type, scope, from, environment, nesting);
        return;
      case 'wrapper':
        this.match(type.of, scope, from, environment, nesting + 1);
        return;
      case 'union':
      case 'intersection':
        for (const each of type.of) this.match(each, scope, from, environment, nesting + 1);
        return;
      case 'list':
      case 'map':
        if (!this.#mentions(type.of, scope, environment)) return;
        this.#engine.solver.watch(from, new Match(this, type, scope, environment, nesting));
        return;
      case 'tuple':
      case 'function':
        this.#engine.solver.watch(from, new Match(this, type, scope, environment, nesting));
        if (type.kind === 'function') settleGuard(this.#engine, type, scope, from, environment);
        return;
      case 'object':
        if (scope.unit.objectTypes.has(type))
          this.#engine.solver.watch(from, new Match(this, type, scope, environment, nesting));
        return;
      case 'typeof':
      case 'indexed':
      case 'self':
      case 'other':
    }
  }

  /** Matches a value with a type. */
  matchValue(
    type: code.Type,
    scope: Scope,
    value: Value,
    environment: Environment | undefined,
    nesting: number,
  ): void {
    switch (type.kind) {
      case 'list':
      case 'map': {
        const elements = elementsOf(type, value);
        if (!elements) return;
        this.match(type.of, scope, elements, environment, nesting + 1);
        // A value read from the collection has the element type, and may be one of its functions.
        this.#engine.solver.copy(elements, this.#engine.types.node(type.of, scope));
        return;
      }
      case 'tuple':
        if (value.kind !== 'instance' || !value.site) return;
        for (const [index, each] of type.of.entries()) {
          const element = new Node();
          value.site.read(String(index), element);
          this.match(each, scope, element, environment, nesting + 1);
        }
        return;
      case 'function': {
        const func = functionOf(value);
        matchGuard(this.#engine, value, type, scope, environment);
        if (func) this.#matchFunction(func, type, scope, environment, nesting);
        else if (value.kind === 'signature') callSignature(this.#engine, value, type, scope, environment);
        return;
      }
      case 'object': {
        const container = scope.unit.objectTypes.get(type);
        if (container) this.#matchObject(value, container, environment, nesting);
        return;
      }
      case 'named':
      case 'wrapper':
      case 'union':
      case 'intersection':
      case 'typeof':
      case 'indexed':
      case 'self':
      case 'other':
    }
  }

  #matchFunction(
    func: Func,
    type: Extract<code.Type, { kind: 'function' }>,
    scope: Scope,
    environment: Environment | undefined,
    nesting: number,
  ): void {
    const { types, substitution } = this.#engine;
    const expected = type.parameters.map((parameter) => types.node(parameter, scope));
    this.#expect(func, expected, environment);
    if (type.receiver && !func.receiver && !func.owner && !func.code.arrow) {
      substitution.copy(types.node(type.receiver, scope), environment, func.thisNode);
    }
    if (type.returns) this.match(type.returns, scope, types.result(func), environment, nesting + 1);
  }

  /** Without an environment, a value matches a type once, however many calls pass it. */
  #isNew(type: code.Type, from: Node): boolean {
    const nodes = this.#matched.get(type);
    if (nodes === from) return false;
    if (nodes instanceof Set) return nodes.size < nodes.add(from).size;
    this.#matched.set(type, nodes ? new Set([nodes, from]) : from);
    return true;
  }

  /** True where matching could tell something. */
  #mentions(type: code.Type, scope: Scope, environment: Environment | undefined): boolean {
    if (type.kind !== 'named' || type.arguments || scope.unit.rules.recordLiterals) return true;
    const target = this.#engine.typeNames.find(type.path, scope, 0);
    if (target?.kind === 'class') return target.class.embedded.some((each) => each.type?.kind === 'function');
    return environment !== undefined;
  }

  /** A function is called with these values, where its parameters have no types of their own. */
  #expect(func: Func, expected: ReadonlyArray<Node | undefined>, environment: Environment | undefined): void {
    const { substitution, passing } = this.#engine;
    for (const [index, node] of expected.entries()) {
      const parameter = func.parameters[index];
      if (node && parameter && !parameter.type && !parameter.rest)
        substitution.copy(node, environment, parameter.node);
    }
    passing.expectRest(func, expected, environment);
  }

  #matchNamed(
    type: code.NamedType,
    scope: Scope,
    from: Node,
    environment: Environment | undefined,
    nesting: number,
  ): void {
    const { typeNames, solver } = this.#engine;
    const target = typeNames.find(type.path, scope, type.arguments?.length ?? 0);
    if (!target) return;
    switch (target.kind) {
      case 'parameter': {
        const node = environment?.parameters.get(target.parameter);
        if (node) this.into(from, node);
        return;
      }
      case 'alias': {
        const { alias } = target;
        const inner = this.#bind(alias.parameters, type, scope, environment);
        this.match(alias.type, alias.scope, from, inner, nesting + 1);
        return;
      }
      case 'class': {
        const bound = this.#bind(target.class.generics, type, scope, environment);
        const match = new Match(this, type, scope, environment, nesting);
        solver.watch(from, new ClassMatch(match, target.class, bound));
        return;
      }
      case 'external': {
        const [argument] = type.arguments ?? [];
        const utility = utilityOf(target, scope);
        if (!argument || (utility !== 'same' && utility !== 'awaited')) return;
        const values = utilityNode(this.#engine, utility, from, scope.unit.rules);
        this.match(argument, scope, values, environment, nesting + 1);
        return;
      }
      case 'variable':
    }
  }

  /** Matches a value with a class. `bound`: what its generic parameters stand for. */
  matchClass(match: Match, container: Class, bound: Environment | undefined, value: Value): void {
    const { type, scope, environment, nesting } = match;
    if (value.kind === 'conversion') {
      this.#engine.conversions.resolve(value, container);
      return;
    }
    if (value.kind !== 'instance') {
      if (value.kind === 'class') this.#matchObject(value, container, bound, nesting);
      const func = functionOf(value);
      const method = func && this.implementations.onlyMethod(container);
      if (func && method) this.#matchMethod(func, method, bound, nesting);
      return;
    }
    if (container.unit.rules.recordLiterals) this.#matchObject(value, container, bound, nesting);
    const args = type.kind === 'named' ? type.arguments : undefined;
    if (!args) return;
    const parameters = this.#engine.environments.find(value, container)?.parameters;
    if (parameters?.size === 0 && container.unit.rules.recordLiterals)
      matchEntries(this.#engine, match, container, args, value);
    for (const [index, generic] of container.generics.entries()) {
      const part = args[index];
      const node = parameters?.get(generic);
      if (!part || !node) continue;
      this.match(part, scope, node, environment, nesting + 1);
      // As with lists: a value read from it may be one of its functions.
      if (part.kind === 'function') this.#engine.solver.copy(node, this.#engine.types.node(part, scope));
    }
  }

  /** The values of an object literal have the types of its members, and are called through them. */
  #matchObject(value: Value, container: Class, environment: Environment | undefined, nesting: number): void {
    if (value.kind === 'class')
      matchConstructor(this.#engine, value, container, (returns, scope, made) =>
        this.match(returns, scope, made, environment, nesting + 1),
      );
    if (value.kind !== 'instance') return;
    const { classes, solver } = this.#engine;
    if (!value.site) {
      if (container.code.form === 'interface') this.implementations.noteUse(container, value.class);
      return;
    }
    const index = indexMember(this.#engine, container);
    for (const [key, node] of value.site.named()) {
      const found = classes.member(container, key, 'instance') ?? index;
      if (!found) continue;
      const { type, scope, declarations = [], node: field } = found.variable;
      solver.copy(node, field);
      if (type) this.match(type, scope, node, environment, nesting + 1);
      for (const method of declarations) {
        if (method.kind !== 'function') continue;
        solver.watch(node, (each) => {
          const func = functionOf(each);
          if (!func) return;
          this.implementations.add(method, func);
          this.#matchMethod(func, method, environment, nesting);
        });
      }
    }
  }

  /** A function is expected to be called like a method. */
  #matchMethod(func: Func, method: Func, environment: Environment | undefined, nesting: number): void {
    const { types } = this.#engine;
    const expected = method.parameters.map(({ type }) => type && types.node(type, method.scope));
    this.#expect(func, expected, environment);
    const { returns } = method.code;
    if (returns) this.match(returns, method.scope, types.result(func), environment, nesting + 1);
  }

  /** The parameters of a named type stand for its arguments, which may be parameters that are to be inferred. */
  #bind(
    generics: readonly GenericParameter[],
    type: code.NamedType,
    scope: Scope,
    environment: Environment | undefined,
  ): Environment | undefined {
    const { types, typeNames, substitution } = this.#engine;
    if (generics.length === 0) return environment;
    const parameters = new Map<GenericParameter, Node>();
    for (const [index, generic] of generics.entries()) {
      const argument = type.arguments?.[index];
      if (!argument) continue;
      const named = argument.kind === 'named' ? typeNames.find(argument.path, scope) : null;
      const inferred = named?.kind === 'parameter' ? environment?.parameters.get(named.parameter) : undefined;
      parameters.set(generic, inferred ?? substitution.of(types.node(argument, scope), environment));
    }
    return new Environment(parameters, environment?.self);
  }
}
