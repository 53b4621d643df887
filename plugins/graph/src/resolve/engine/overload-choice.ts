import type { code } from '@service-mcp/plugin-syntax/contract';
import type { CallSite } from '../instructions.js';
import type { Func } from '../declarations.js';
import { partOf, type Scope } from '../program.js';
import type { Value } from '../values.js';
import { ArgumentCosts } from './argument-costs.js';
import type { Engine } from './engine.js';
import { switchWork } from '../file-work.js';
import { declaredOf, isTypeName } from './external-values.js';
import { withExpected } from './expected-arguments.js';
import { constantsOf, hasAlike, signatureKey } from './overloads.js';

/** An overload that takes the rest as a list comes last. */
const REST = 5;
/** More overloads that fit equally well say that the types are not known well enough. Variants in one file count once. */
const MAX_TIES = 2;

interface Undecided {
  readonly site: CallSite;
  readonly functions: readonly Func[];
  readonly arguments: CallSite['arguments'];
  readonly link: (func: Func, among: number) => void;
  readonly none: (() => void) | undefined;
}

/** Chooses among functions of one name by the types of the arguments, as soon as those are known. */
export class OverloadChoice {
  readonly #engine: Engine;
  readonly #costs: ArgumentCosts;
  #undecided = new Set<Undecided>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#costs = new ArgumentCosts(engine);
  }

  /** Calls `link` with each of the functions that fit best and their number, `none` where no function takes the arguments. */
  decide(
    functions: readonly Func[],
    site: CallSite,
    args: CallSite['arguments'],
    link: (func: Func, among: number) => void,
    none?: () => void,
  ): void {
    const choice: Undecided = { site, functions, arguments: args, link, none };
    const nodes = args.flatMap(({ node }) => node ?? []);
    this.#undecided.add(choice);
    if (site.arguments.some(({ spread }) => spread)) return;
    const attempt = (): void => {
      if (nodes.every((node) => node.values !== undefined && node.values.length > 0)) this.#choose(choice);
    };
    for (const node of nodes) this.#engine.solver.watch(node, attempt);
    attempt();
  }

  /** Chooses with what is known. False where nothing was left to choose. */
  settle(): boolean {
    const rest = this.#undecided;
    this.#undecided = new Set();
    for (const each of rest) {
      switchWork(each.site.unit.work);
      this.#choose(each);
    }
    return rest.size > 0;
  }

  #choose(given: Undecided): void {
    this.#undecided.delete(given);
    const { site, functions } = given;
    if (!this.#engine.choices.affords(site.unit, functions, 1 + given.arguments.length)) return;
    const choice = withExpected(this.#engine, site, given);
    const costs = choice.functions.map((func) => ({ func, cost: this.#costOf(func, choice) }));
    const least = Math.min(...costs.map(({ cost }) => cost));
    const best = costs.filter(({ cost }) => cost === least && cost < Infinity);
    if (best.length === 0) choice.none?.();
    // Functions of the nearest class come first.
    const nearest = best.filter(({ func }) => func.owner === best[0]?.func.owner);
    const keys = nearest.map(({ func }) => `${func.unit.path}\n${signatureKey(func)}`);
    const ties = new Set(keys);
    const variants = new Set(nearest.map(({ func }, at) => `${keys[at] ?? ''}\n${constantsOf(func)}`));
    // Implementations of a trait for different arguments may have methods with the same signature.
    const blocks = new Set(nearest.map(({ func }) => partOf(func.scope)));
    const among = Math.max(variants.size, blocks.size);
    if (ties.size <= MAX_TIES) for (const { func } of nearest) choice.link(func, among);
  }

  /** True where a parameter of a type may take a value. */
  takes(type: code.Type, scope: Scope, value: Value): boolean {
    const wanted = this.#engine.types.node(type, scope).values;
    return wanted !== undefined && this.#costs.of([value], wanted) < Infinity;
  }

  #costOf(func: Func, { arguments: args, functions }: Undecided): number {
    const { parameters } = func;
    const rest = parameters.findIndex((each) => each.rest === 'list');
    const direct = rest < 0 || this.#passesList(func, rest, args);
    let total = direct ? 0 : REST;
    for (const [position, { name, node }] of args.entries()) {
      const at = name === undefined ? position : parameters.findIndex((each) => each.name === name);
      const parameter = parameters[rest >= 0 && at >= rest ? rest : at];
      if (!parameter) return Infinity;
      const written = parameter.type;
      const element = parameter.rest && !direct && written?.kind === 'list' ? written.of : written;
      const isList = parameter.rest && direct && written && written.kind !== 'list';
      const type = isList ? ({ kind: 'list', of: written } as const) : element;
      const wanted = type && this.#engine.types.node(type, func.scope).values;
      const isGeneric = wanted?.some((each) => each.kind === 'parameter');
      const isUnknown =
        parameter.rest &&
        !isGeneric &&
        !functions.some((other) => hasAlike(other, at, element)) &&
        !node?.values?.some((each) => each.kind !== 'external' || isTypeName(each.name));
      // An unknown argument rather belongs to a rest parameter of one type than to another parameter.
      total += isUnknown ? 1 : this.#costs.of(declaredOf(this.#engine, node?.values, func), wanted);
    }
    // A parameter that is left out costs more than a function without it.
    return total + Math.max(0, parameters.length - args.length - (rest < 0 ? 0 : 1)) / 10;
  }

  /** A single list may be passed for the rest. */
  #passesList(func: Func, rest: number, args: Undecided['arguments']): boolean {
    if (args.length !== rest + 1) return false;
    const { rules } = func.unit;
    const list = rules.literals?.list;
    return (args[rest]?.node?.values ?? []).some(
      (each) => each.kind === 'instance' && each.class.name === list,
    );
  }
}
