import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Class } from '../declarations.js';
import { Node, type Receiver } from '../node.js';
import type { Scope } from '../program.js';
import type { Instance, Value } from '../values.js';
import type { Environment } from './environment.js';
import type { Engine } from './engine.js';
import { indexMember } from './index-members.js';
import type { Inference } from './infer.js';

/** Matches the values of a node with a type. */
export class Match implements Receiver {
  readonly inference: Inference;
  readonly type: code.Type;
  readonly scope: Scope;
  readonly environment: Environment | undefined;
  readonly nesting: number;

  constructor(
    inference: Inference,
    type: code.Type,
    scope: Scope,
    environment: Environment | undefined,
    nesting: number,
  ) {
    this.inference = inference;
    this.type = type;
    this.scope = scope;
    this.environment = environment;
    this.nesting = nesting;
  }

  receive(value: Value): void {
    this.inference.matchValue(this.type, this.scope, value, this.environment, this.nesting);
  }
}

/** Matches the values of a node with the class that a type names. */
export class ClassMatch implements Receiver {
  readonly #match: Match;
  readonly #class: Class;
  /** Types of the generic parameters of the class. */
  readonly #bound: Environment | undefined;

  constructor(match: Match, container: Class, bound: Environment | undefined) {
    this.#match = match;
    this.#class = container;
    this.#bound = bound;
  }

  receive(value: Value): void {
    this.#match.inference.matchClass(this.#match, this.#class, this.#bound, value);
  }
}

/** The values of an object have the element type of a type of dictionaries: `Record<string, Handler>`. */
export function matchEntries(
  engine: Engine,
  { inference, scope, environment, nesting }: Match,
  container: Class,
  args: readonly code.Type[],
  value: Instance,
): void {
  const { classes, solver, types, environments, substitution } = engine;
  const declared = classes.member(container, '@index', 'instance')?.variable.type;
  const name = declared?.kind === 'named' ? declared.path[0] : undefined;
  const element = args[container.generics.findIndex((each) => each.name === name)];
  if (!element) return;
  if (!value.site) {
    const index = indexMember(engine, value.class);
    if (!index) return;
    const node = substitution.of(index.variable.node, environments.find(value, index.owner));
    inference.match(element, scope, node, environment, nesting + 1);
    return;
  }
  for (const [, node] of value.site.named()) {
    inference.match(element, scope, node, environment, nesting + 1);
    solver.copy(node, types.node(element, scope));
  }
}

/** Object literals are dictionaries as well, where they are not of that type. */
export function elementsOf({ kind }: code.Type, value: Value): Node | undefined {
  if (value.kind !== 'instance') return undefined;
  const isRecord = kind === 'map' && value.class.unit.rules.recordLiterals;
  return value.arguments.at(-1) ?? (isRecord ? value.site?.all : undefined);
}

/** A class as an object of a type with a construct signature: what that gives is an object of the class. */
export function matchConstructor(
  { classes, solver, values }: Engine,
  value: Class,
  container: Class,
  match: (returns: code.Type, scope: Scope, made: Node) => void,
): void {
  const name = value.unit.rules.constructMember;
  const found = name === undefined ? undefined : classes.member(container, name, 'instance');
  for (const each of found?.variable.declarations ?? []) {
    if (each.kind !== 'function' || !each.code.returns) continue;
    const made = new Node();
    solver.add(made, values.instance(classes.canonical(value), [], false));
    match(each.code.returns, each.scope, made);
  }
}
