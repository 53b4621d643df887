import type { code } from '@service-mcp/plugin-syntax/contract';
import { DECLARED, Node } from '../node.js';
import type { Class, Func, GenericParameter } from '../declarations.js';
import type { Scope } from '../program.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import { Environment } from './environment.js';
import { isKnownType } from './known-types.js';
import { utilityNode, utilityOf } from './utility-types.js';

/** Keys of elements: `T[0]`, `T[number]`. */
const ELEMENT = /^(?:\d+|number)$/;

/** Turns declared types into nodes of values. */
export class Types {
  readonly #engine: Engine;
  /** How often a type was asked for while it was being found: what follows from the answer may be too little. */
  unfinished = 0;
  readonly #filling = new Set<code.Type>();
  readonly #nodes = new Map<code.Type, Node>();
  readonly #generics = new Map<GenericParameter, Node>();
  readonly #results = new Map<Func, Node>();
  readonly #ownResults = new Map<Func, Node>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The type at its place in the source. Generic parameters stay as they are. */
  node(type: code.Type, scope: Scope): Node {
    if (type.kind === 'wrapper') return this.node(type.of, scope);
    let node = this.#nodes.get(type);
    if (node) {
      if (this.#filling.has(type)) this.unfinished += 1;
      return node;
    }
    node = new Node().mark(DECLARED);
    this.#nodes.set(type, node);
    this.#filling.add(type);
    this.#fill(node, type, scope);
    this.#filling.delete(type);
    return node;
  }

  #fill(node: Node, type: code.Type, scope: Scope): void {
    const { solver, builtins, values } = this.#engine;
    const { rules } = scope.unit;
    const include = (other: code.Type) => {
      const part = this.node(other, scope);
      node.mark({ depth: Math.max(node.depth, part.depth) });
      this.#copy(part, node);
    };
    switch (type.kind) {
      case 'named':
        this.#fillNamed(node, type, scope);
        return;
      case 'union':
      case 'intersection':
        for (const each of type.of) include(each);
        return;
      case 'list':
      case 'map': {
        const map = rules.dictionary ?? rules.literals?.object;
        const name = type.kind === 'list' ? rules.literals?.list : map;
        const container = name === undefined ? undefined : builtins.find(rules, name);
        if (!container) return;
        const parts = type.kind === 'map' && container.generics.length > 1 ? [type.key, type.of] : [type.of];
        const args = parts.map((each) => this.node(each, scope));
        node.mark({ depth: depthOf(args) });
        solver.add(node, values.instance(container, args, false, isGeneric(scope)));
        return;
      }
      case 'tuple': {
        const items = type.of.map((each, index) => ({ key: String(index), node: this.node(each, scope) }));
        const made = this.#engine.containers.make('tuple', rules, items, isGeneric(scope), {
          isType: true,
          names: type.names,
        });
        if (made) solver.add(node, made);
        return;
      }
      case 'function':
        solver.add(node, {
          kind: 'signature',
          written: { types: type.parameters, scope },
          parameters: type.parameters.map((each) => this.node(each, scope)),
          returns: type.returns && this.node(type.returns, scope),
        });
        return;
      case 'object': {
        const container = scope.unit.objectTypes.get(type);
        if (container) solver.add(node, values.instance(container, [], false));
        return;
      }
      case 'typeof': {
        const value = scope.unit.typeofs.get(type);
        if (value) this.#copy(value, node);
        return;
      }
      case 'indexed':
        solver.watch(this.node(type.of, scope), (value) => {
          if (value.kind !== 'instance') return;
          const found = this.#engine.classes.member(value.class, type.key, 'instance');
          if (found) this.#copy(found.variable.node, node);
          else if (ELEMENT.test(type.key)) {
            const element = new Node();
            this.#engine.containers.load(value, type.key === 'number' ? undefined : type.key, element);
            this.#copy(element, node);
          }
        });
        return;
      case 'self': {
        const container = this.#engine.typeNames.classOf(scope);
        const parameter = container && this.#engine.traits.own(container);
        if (container) solver.add(node, parameter ?? values.self(container));
        return;
      }
      case 'wrapper':
      case 'other':
    }
  }

  /** Into a node of a type, which plain copies do not enter. */
  #copy(from: Node, to: Node): void {
    const { solver } = this.#engine;
    // The values that a declared type admits are decided before the engine runs.
    for (const value of from.values ?? []) solver.add(to, value);
    solver.watch(from, (value) => solver.add(to, value));
  }

  #fillNamed(node: Node, type: code.NamedType, scope: Scope): void {
    const { solver, values, substitution } = this.#engine;
    const target = this.#engine.typeNames.find(type.path, scope, type.arguments?.length ?? 0);
    if (!target) return;
    const args = (type.arguments ?? []).map((each) => this.node(each, scope));
    switch (target.kind) {
      case 'class': {
        node.mark({ depth: depthOf(args) });
        if (this.#isSolid(target.class)) node.mark({ solid: true });
        if (this.#isImplemented(target.class)) node.mark({ library: target.class });
        const kept = args.slice(0, target.class.generics.length);
        solver.add(node, values.instance(target.class, kept, false, isGeneric(scope)));
        return;
      }
      case 'parameter':
        solver.add(node, target.parameter);
        return;
      case 'alias': {
        const { alias } = target;
        const parameters = new Map<GenericParameter, Node>();
        for (const [index, parameter] of alias.parameters.entries()) {
          const argument = args[index];
          if (argument) parameters.set(parameter, argument);
        }
        const environment = parameters.size > 0 ? new Environment(parameters) : undefined;
        const aliased = this.node(alias.type, alias.scope);
        if (aliased !== node) this.#copy(substitution.of(aliased, environment), node);
        return;
      }
      case 'variable':
        solver.watch(target.variable.node, (value) => {
          if (value.kind === 'class') {
            solver.add(node, values.instance(this.#engine.classes.canonical(value), [], false));
          } else if (value.kind === 'external') solver.add(node, value);
          else if (value.kind === 'instance' && value.site?.isSequence)
            solver.watch(value.site.all, (each) => {
              if (each.kind === 'class')
                solver.add(node, values.instance(this.#engine.classes.canonical(each), [], false));
            });
        });
        return;
      case 'external': {
        const utility = utilityOf(target, scope);
        const [argument] = args;
        if (utility && argument)
          this.#copy(utilityNode(this.#engine, utility, argument, scope.unit.rules), node);
        else solver.add(node, values.external(target.module, target.name));
      }
    }
  }

  /** True where functions are objects of interfaces alone. */
  #isSolid({ unit, code: { form } }: Class): boolean {
    const { rules } = unit;
    const isOwn = this.#engine.builtins.unitOf(rules) !== unit;
    return rules.callsByType === true && isOwn && (form === 'class' || form === 'enum' || form === 'struct');
  }

  /** True for a type of the library that classes of the project may implement. */
  #isImplemented({ unit, name }: Class): boolean {
    const { rules } = unit;
    return (
      rules.callsByType === true && name !== rules.topType && this.#engine.builtins.unitOf(rules) === unit
    );
  }

  /** Nodes that hold the parameters themselves. */
  genericNodes(generics: readonly GenericParameter[]): Node[] {
    return generics.map((generic) => {
      let node = this.#generics.get(generic);
      if (!node) {
        node = new Node().mark(DECLARED);
        this.#engine.solver.add(node, generic);
        this.#generics.set(generic, node);
      }
      return node;
    });
  }

  /** The object inside the members of a class. */
  own(container: Class): Value {
    const parameter = this.#engine.traits.own(container);
    if (parameter) return parameter;
    const args = this.genericNodes(container.generics);
    return this.#engine.values.instance(container, args, false, true);
  }

  /** A collection of the library that does not say what it holds: `Iterator` instead of `Iterator<Row>`. */
  #lacksArguments(type: code.NamedType, scope: Scope): boolean {
    const { typeNames, builtins } = this.#engine;
    const found = type.arguments ? null : typeNames.find(type.path, scope, 0);
    const named = found?.kind === 'external' ? builtins.named(scope.unit.rules, found) : undefined;
    const container = found?.kind === 'class' ? found.class : named;
    return container?.kind === 'class' && builtins.isBuiltin(container) && container.generics.length > 0;
  }

  /** The result of a function: its declared type, or else the values that its body returns. */
  result(func: Func): Node {
    return this.#resultOf(func, func.passed ?? func.returned, this.#results);
  }

  /** The same without the arguments that it returns as they are; of those, what their declared types tell. */
  ownResult(func: Func): Node {
    const typed = func.parameters.flatMap(({ returned, type }) => (returned && type ? [type] : []));
    if (!func.code.returns && typed.length === 0) return func.returned;
    const isKnown = this.#ownResults.has(func);
    const node = this.#resultOf(func, func.returned, this.#ownResults);
    if (!isKnown) for (const type of typed) this.#engine.solver.copy(this.node(type, func.scope), node);
    return node;
  }

  /** A node from which a node gets the values that a declared type admits. */
  admitting(type: code.Type | undefined, scope: Scope, to: Node): Node {
    if (!type || !isKnownType(this.#engine, type, scope)) return to;
    const node = new Node().mark({ source: this.node(type, scope) });
    this.#engine.solver.copy(node, to);
    return node;
  }

  #resultOf(func: Func, returned: Node, results: Map<Func, Node>): Node {
    let node = results.get(func);
    if (node) return node;
    node = new Node();
    results.set(func, node);
    const { solver, containers } = this.#engine;
    const { returns, async: isAsync, generator: isGenerator } = func.code;
    const isOpen = isGenerator && returns?.kind === 'named' && this.#lacksArguments(returns, func.scope);
    const declared = returns && !isOpen ? this.node(returns, func.scope) : undefined;
    if (declared && returns && isKnownType(this.#engine, returns, func.scope)) solver.declare(node, declared);
    else {
      if (declared) this.#copy(declared, node);
      if (isGenerator) {
        const parts = [func.yielded, returned, func.sent];
        const made = containers.wrap('generator', func.unit.rules, parts, true);
        if (made) solver.add(node, made);
      } else if (!isAsync) solver.copy(returned, node);
    }
    if (isAsync && !isGenerator) {
      const inner = declared ? node : returned;
      const promised = new Node();
      containers.promise(func.unit.rules, inner, promised);
      results.set(func, promised);
      return promised;
    }
    // Functions may still come out of a declared type.
    if (declared && !isGenerator && !isAsync) solver.copy(returned, node);
    return node;
  }
}

function depthOf(args: readonly Node[]): number {
  return args.reduce((most, each) => Math.max(most, each.depth), 0) + (args.length > 0 ? 1 : 0);
}

/** True where generic parameters may be mentioned. */
export function isGeneric(from: Scope): boolean {
  for (let scope: Scope | null = from; scope; scope = scope.parent) if (scope.generic) return true;
  return false;
}

/** True where a type contains `this` as a type. */
export function mentionsSelf(type: code.Type): boolean {
  if (type.kind === 'self') return true;
  if (type.kind === 'named') return type.arguments?.some(mentionsSelf) ?? false;
  if (type.kind === 'union' || type.kind === 'intersection' || type.kind === 'tuple')
    return type.of.some(mentionsSelf);
  return (type.kind === 'list' || type.kind === 'map' || type.kind === 'wrapper') && mentionsSelf(type.of);
}
