import type { code } from '@service-mcp/plugin-syntax/contract';
import type { CallArgument, CallSite } from '../instructions.js';
import type { Func } from '../declarations.js';
import type { Scope } from '../program.js';
import type { Engine } from './engine.js';
import { switchWork } from '../file-work.js';
import { isKnownType } from './known-types.js';
import { allOf, anyOf, fits, isPlainType, type Fit } from './signature-fit.js';
import { literalOf, writtenParameters, type WrittenParameter } from './signature-text.js';

/** More signatures that may be meant tell nothing. */
const MAX_CANDIDATES = 2;

interface Undecided {
  readonly signatures: readonly Func[];
  readonly site: CallSite;
  readonly link: (chosen: readonly Func[] | undefined) => void;
}

/**
 * Chooses among the signatures of an overloaded function of TypeScript: the first that takes the arguments, by their
 * number, by literal types and by the types that are known.
 */
export class SignatureChoice {
  readonly #engine: Engine;
  readonly #parameters = new Map<Func, readonly WrittenParameter[] | undefined>();
  #undecided = new Set<Undecided>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Calls `link` with the signature, or two that may be meant; with none where that cannot be told. */
  decide(signatures: readonly Func[], site: CallSite, link: Undecided['link']): void {
    const possible = signatures.filter((each) => this.#accepts(each, site));
    if (possible.length < 2) {
      link(possible.length === 0 ? undefined : possible);
      return;
    }
    const choice: Undecided = { signatures: possible, site, link };
    const nodes = site.arguments.flatMap(({ node }) => node ?? []);
    this.#undecided.add(choice);
    const attempt = (): void => {
      if (!this.#undecided.has(choice)) return;
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

  #choose(choice: Undecided): void {
    this.#undecided.delete(choice);
    const candidates: Func[] = [];
    for (const each of choice.signatures) {
      const fit = this.#fit(each, choice.site.arguments);
      if (fit === 'no') continue;
      candidates.push(each);
      if (fit === 'yes') break;
    }
    const isTold = candidates.length > 0 && candidates.length <= MAX_CANDIDATES;
    choice.link(isTold ? candidates : undefined);
  }

  /** By the number of arguments and by literals alone. */
  #accepts(func: Func, { arguments: args }: CallSite): boolean {
    if (args.some(({ spread }) => spread)) return true;
    const { parameters } = func;
    const written = this.#written(func);
    const isRequired = (index: number): boolean => {
      const parameter = parameters[index];
      return parameter !== undefined && !parameter.optional && written?.[index]?.optional !== true;
    };
    if (args.length > parameters.length && !parameters.some(({ rest }) => rest)) return false;
    if (parameters.some((_, index) => index >= args.length && isRequired(index))) return false;
    return args.every(({ literal }, index) => {
      const literals = written?.[index]?.literals;
      return !literals || literal === undefined || literals.has(literalOf(literal));
    });
  }

  #fit(func: Func, args: readonly CallArgument[]): Fit {
    const written = this.#written(func);
    return allOf(
      args.map(({ node, spread, literal }, index): Fit => {
        const parameter = func.parameters[index];
        if (spread || !parameter?.type || parameter.rest) return 'maybe';
        const literals = written?.[index]?.literals;
        if (literals && literal !== undefined) return 'yes';
        const { types } = this.#engine;
        const wanted = types.node(parameter.type, func.scope).values;
        const given = node?.values;
        if (!wanted || wanted.length === 0 || !given || given.length === 0) return 'maybe';
        const isWhole = this.#isWhole(parameter.type, func.scope);
        return allOf(
          given.map((value) => {
            const fit = anyOf(wanted.map((type) => fits(this.#engine, value, type)));
            const isCertain = fit === 'yes' ? !literals : isWhole;
            return isCertain ? fit : 'maybe';
          }),
          'differ',
        );
      }),
    );
  }

  /** True where nothing is of the type but what its values say. */
  #isWhole(type: code.Type, scope: Scope): boolean {
    if (type.kind === 'union') return type.of.every((each) => this.#isWhole(each, scope));
    const isPlainName = type.kind === 'named' && type.path.length === 1 && isPlainType(type.path[0]);
    return isPlainName || isKnownType(this.#engine, type, scope);
  }

  /** What the text says of the parameters of a function. */
  #written(func: Func): readonly WrittenParameter[] | undefined {
    if (this.#parameters.has(func)) return this.#parameters.get(func);
    const text = func.symbol === undefined ? undefined : func.unit.symbols[func.symbol]?.signature;
    const found = text === undefined ? undefined : writtenParameters(text);
    const written = found?.length === func.parameters.length ? found : undefined;
    this.#parameters.set(func, written);
    return written;
  }
}
