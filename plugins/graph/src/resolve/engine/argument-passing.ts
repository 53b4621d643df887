import { nameKey } from '../compile/keys.js';
import type { CallArgument, Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Func, FuncParameter } from '../declarations.js';
import type { Instance, Value } from '../values.js';
import type { Engine } from './engine.js';
import type { Environment } from './environment.js';
import { iterate } from './protocol.js';

export interface PassContext {
  readonly environment: Environment | undefined;
  /** The call. */
  readonly origin: Origin;
  /** Takes the arguments that the function returns as they are. */
  readonly result: Node | undefined;
}

/** Links arguments to parameters: by position, by name, from spreads, into rests. */
export class ArgumentPassing {
  readonly #engine: Engine;
  readonly #rest = new Map<Func, Map<number, Instance>>();
  /** The lists of arguments of functions that name them. */
  readonly #whole = new Map<Func, Instance>();
  readonly #called = new Set<Func>();
  /** With how many arguments functions with a rest alone are expected to be called. */
  readonly #expected = new Map<Func, number>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Passes all arguments of a call. `start`: position of the first, -1 where that is the object it is called on. */
  pass(func: Func, args: readonly CallArgument[], context: PassContext, start: number): void {
    this.#start(func);
    this.#passDefaults(func, args, context.result);
    const { solver } = this.#engine;
    const whole = this.#whole.get(func);
    if (whole) this.#passWhole(whole, args, context.origin);
    let position = start;
    let spread = false;
    for (const argument of args) {
      const { node, name } = argument;
      if (argument.spread === 'list') {
        spread = true;
        if (!node) continue;
        const from = position;
        solver.watch(node, (value) => this.#passList(func, from, value, context));
        continue;
      }
      if (argument.spread === 'dict') {
        if (!node) continue;
        solver.watch(node, (value) => this.#passDictionary(func, value, context));
        continue;
      }
      if (name === undefined) {
        if (spread) {
          for (let index = position; index < func.parameters.length; index += 1) {
            if (node) this.#passOne(func, index, index, node, context);
          }
        } else if (node) {
          const isLast = argument === args.at(-1);
          const given = isLast ? this.#restElements(func, position, node) : node;
          this.#passOne(func, position, position, given, context);
        }
        position += 1;
        continue;
      }
      const index = func.parameters.findIndex((each) => each.name === name && !each.rest);
      const rest = func.parameters.findIndex((each) => each.rest === 'dict');
      if (node && (index >= 0 || rest >= 0))
        this.#passOne(func, index >= 0 ? index : rest, name, node, context);
    }
  }

  /** The rest is a container, also where no call has more arguments. */
  #start(func: Func): void {
    if (this.#called.has(func)) return;
    this.#called.add(func);
    if (!func.code.hasBody) return;
    if (func.whole) {
      const whole = this.#engine.containers.make('list', func.unit.rules, [], true, { grows: true });
      if (whole) this.#whole.set(func, whole);
      if (whole) this.#engine.solver.add(func.whole, whole);
    }
    for (const [index, { rest, type }] of func.parameters.entries())
      if (rest && !type) this.#restOf(func, index);
  }

  /** Passes all arguments of a call as the list that the function may read them from. */
  #passWhole({ site: into }: Instance, args: readonly CallArgument[], origin: Origin): void {
    const { solver } = this.#engine;
    let isPlaced = true;
    for (const [index, { node, spread }] of args.entries()) {
      isPlaced &&= spread === undefined;
      if (!node || !into) continue;
      if (spread === undefined) solver.copy(node, into.slot(isPlaced ? String(index) : undefined));
      else
        solver.watch(node, (value) => {
          iterate(this.#engine, value, origin, into.unknown);
        });
    }
  }

  /** The only parameter of a function takes all values that it is expected to be called with: `Item::new` of Java. */
  expectRest(
    func: Func,
    expected: ReadonlyArray<Node | undefined>,
    environment: Environment | undefined,
  ): void {
    if (func.unit.rules.overloads !== 'arguments' || func.parameters[0]?.rest !== 'list') return;
    const site = this.#restOf(func, 0)?.site;
    for (const [index, node] of expected.entries())
      if (node && site) this.#engine.substitution.copy(node, environment, site.slot(String(index)));
    this.#expected.set(func, expected.length);
  }

  /** The elements of the only parameter of a function, one for each argument that it is expected to be called with. */
  expectedOf(func: Func): readonly Node[] | undefined {
    const count = this.#expected.get(func);
    const site = count === undefined ? undefined : this.#restOf(func, 0)?.site;
    return site && Array.from({ length: count ?? 0 }, (_, index) => site.slot(String(index)));
  }

  /** Passes the first element of a list. */
  passFirst({ node }: CallArgument, to: Node): void {
    const { solver, containers } = this.#engine;
    if (!node) return;
    solver.watch(node, (value) => {
      if (value.kind === 'instance' && value.site?.isSequence) containers.load(value, '0', to);
      else containers.operate(value, '@each', to);
    });
  }

  /** Passes the elements of a list from a position on. */
  #passList(func: Func, from: number, value: Value, context: PassContext): void {
    const { containers } = this.#engine;
    const all = new Node();
    const site = value.kind === 'instance' && value.site?.isSequence ? value.site : undefined;
    if (!site) iterate(this.#engine, value, context.origin, all);
    for (const [index, { rest }] of func.parameters.entries()) {
      if (index < from && !rest) continue;
      const element = site ? new Node() : all;
      const first = Math.max(0, index - from);
      if (site) containers.load(value, String(first), element);
      if (site && rest === 'list')
        this.#restOf(func, index)?.site?.includePart(site, first, undefined, Math.max(0, from - index));
      this.#passOne(func, index, Math.max(index, from), element, context);
    }
  }

  /** Passes the elements of a dictionary to the parameters of their names, the others to a rest. */
  #passDictionary(func: Func, value: Value, context: PassContext): void {
    const { containers } = this.#engine;
    for (const [index, { name, rest }] of func.parameters.entries()) {
      if (rest === 'dict' && value.kind === 'instance' && value.site)
        this.#restOf(func, index)?.site?.include(value.site);
      if (name === undefined || rest) continue;
      const element = new Node();
      containers.load(value, nameKey(name, func.unit.rules), element);
      this.#passOne(func, index, name, element, context);
    }
  }

  /** Of an array that is the only argument for a rest, its elements are what the rest has: Java, C#. */
  #restElements(func: Func, position: number, node: Node): Node {
    const { rules } = func.unit;
    if (!rules.callsByType || func.parameters[position]?.rest !== 'list') return node;
    const { solver, containers, builtins } = this.#engine;
    const array = builtins.find(rules, rules.literals?.list ?? '');
    const elements = new Node();
    solver.watch(node, (value) => {
      if (value.kind !== 'instance' || value.class !== array) solver.add(elements, value);
      else containers.operate(value, '@each', elements);
    });
    return elements;
  }

  /** Parameters that the arguments leave out hold their defaults. */
  #passDefaults(func: Func, args: readonly CallArgument[], result?: Node): void {
    const positional = args.findIndex(({ name, spread }) => name !== undefined || spread !== undefined);
    const given = positional < 0 ? args.length : positional;
    for (const parameter of func.parameters.slice(given)) {
      const { initial, name, node } = parameter;
      if (!initial || args.some((each) => each.name !== undefined && each.name === name)) continue;
      const pass = (): void => {
        this.#engine.solver.copy(initial, node);
        this.#passBack(func, parameter, initial, result);
      };
      const dictionaries = args.flatMap((each) => (each.spread === 'dict' && each.node ? [each.node] : []));
      if (dictionaries.length === 0 || name === undefined) pass();
      else {
        const key = nameKey(name, func.unit.rules);
        this.#engine.undecided.add(() => {
          if (!dictionaries.some((each) => alwaysHas(each, key))) pass();
        });
      }
    }
  }

  /** What a function returns of an argument as it is. */
  #passBack(func: Func, { returned, type }: FuncParameter, given: Node, result: Node | undefined): void {
    const { solver, types } = this.#engine;
    if (returned && result) solver.copy(given, types.admitting(type, func.scope, result));
  }

  /** Gives functions that no call reaches their defaults. */
  settle(functions: readonly Func[]): void {
    for (const func of functions) {
      if (this.#called.has(func)) continue;
      this.#start(func);
      this.#passDefaults(func, []);
    }
  }

  /** Passes one argument, given at a position or by a name, to a parameter. */
  #passOne(
    func: Func,
    index: number,
    key: number | string,
    node: Node,
    { environment, result }: PassContext,
  ): void {
    const { solver, infer } = this.#engine;
    const rest = func.parameters.findIndex((each) => each.rest === 'list');
    const at = typeof key === 'number' && rest >= 0 && index >= rest ? rest : index;
    const parameter = func.parameters[at];
    if (!parameter || (parameter.rest === 'dict' && typeof key === 'number')) return;
    if (!parameter.rest) {
      if (parameter.type) infer.match(parameter.type, func.scope, node, environment);
      solver.copy(node, parameter.node);
      this.#passBack(func, parameter, node, result);
      return;
    }
    const { type } = parameter;
    const element = type?.kind === 'list' && parameter.rest === 'list' ? type.of : type;
    if (element) infer.match(element, func.scope, node, environment);
    const container = this.#restOf(func, at);
    if (container?.site) {
      solver.copy(
        node,
        container.site.slot(typeof key === 'number' ? String(key - at) : nameKey(key, func.unit.rules)),
      );
    }
  }

  /** The list or dictionary that a rest parameter is. */
  #restOf(func: Func, index: number): Instance | undefined {
    const parameter = func.parameters[index];
    if (!parameter) return undefined;
    let known = this.#rest.get(func);
    if (!known) this.#rest.set(func, (known = new Map()));
    let found = known.get(index);
    if (!found) {
      const type = parameter.rest === 'dict' ? 'object' : 'list';
      found = this.#engine.containers.make(type, func.unit.rules, [], true, { grows: true });
      if (!found) return undefined;
      known.set(index, found);
      this.#engine.solver.add(parameter.node, found);
    }
    return found;
  }
}

/** True where all values are literals with the key. */
function alwaysHas({ values = [] }: Node, key: string): boolean {
  return values.length > 0 && values.every((each) => each.kind === 'instance' && each.site?.names(key));
}
