import type { Code, Definition, Located, Statement } from '../../code.js';
import type { SourceSymbol } from '../../contract.js';
import { Lines } from '../../text.js';
import type { PlacedSymbols } from '../place-symbols.js';
import type { SyntaxNode } from './syntax-node.js';

/** Lowers the syntax tree of one language to the common tree of `code.ts`. */
export type Lower = (
  root: SyntaxNode,
  lowering: Lowering,
) => Pick<Code, 'body' | 'package' | 'constraint' | 'opened' | 'testCases'>;

/** The time limit ended the lowering of a file. */
export class LoweringExpired extends Error {}

/** Places between two checks of the time limit. */
const CHECK_EVERY = 4096;

/** A file while it is lowered. */
export class Lowering {
  readonly path: string;
  /** What was parsed: the text of the file, or as long and partly blank. */
  readonly text: string;
  /** The text of the file. */
  readonly source: string;
  readonly symbols: readonly SourceSymbol[];
  readonly definitions: Definition[];
  readonly #lines: Lines;
  readonly #symbolOf: ReadonlyMap<number, number>;
  readonly #expired: () => boolean;
  #places = 0;
  #names = 0;

  constructor(
    { path, text, source }: Pick<Lowering, 'path' | 'text' | 'source'>,
    { symbols, nameStarts }: PlacedSymbols,
    expired: () => boolean,
  ) {
    this.path = path;
    this.text = text;
    this.source = source;
    this.symbols = symbols;
    this.definitions = symbols.map(() => ({ exported: false, test: false }));
    this.#lines = new Lines(text);
    this.#expired = expired;
    this.#symbolOf = new Map(nameStarts.map((start, symbol) => [start, symbol]));
  }

  /** The symbol whose name, or whose unnamed declaration, starts at the node. */
  symbolAt(node: SyntaxNode): { readonly symbol?: number } {
    const symbol = this.#symbolOf.get(node.start);
    return symbol === undefined ? {} : { symbol };
  }

  define(symbol: number | undefined, properties: Partial<Definition>): void {
    const definition = symbol === undefined ? undefined : this.definitions[symbol];
    if (symbol !== undefined && definition) this.definitions[symbol] = { ...definition, ...properties };
  }

  /** Throws {@link LoweringExpired}: almost every construct has a place. */
  at(node: Pick<SyntaxNode, 'start'>): Located {
    this.#places += 1;
    if (this.#places % CHECK_EVERY === 0 && this.#expired()) throw new LoweringExpired();
    return { start: node.start, line: this.#lines.at(node.start) + 1 };
  }

  /** The name of a variable that the text does not have: one that no text can say. */
  newName(): string {
    this.#names += 1;
    return `~${this.#names}`;
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }
}

/** The statements of several nodes, in order. */
export function statements(
  nodes: readonly SyntaxNode[],
  lower: (node: SyntaxNode) => readonly Statement[],
): Statement[] {
  return nodes.flatMap(lower);
}
