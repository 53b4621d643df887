import type { Code, Definition, Located, Statement } from '../../code.js';
import type { SourceSymbol } from '../../contract.js';
import { Lines } from '../../text.js';
import type { SyntaxNode } from './syntax-node.js';

/** Turns the syntax tree of one language into code: see `code.ts`. */
export type Lower = (root: SyntaxNode, lowering: Lowering) => Pick<Code, 'body' | 'package' | 'testCases'>;

/** A file while it is lowered. */
export class Lowering {
  readonly path: string;
  readonly text: string;
  readonly symbols: readonly SourceSymbol[];
  readonly definitions: Definition[];
  readonly #lines: Lines;
  readonly #symbolOf: ReadonlyMap<number, number>;

  /** `nameStarts`: for each symbol the offset of its name, or of the declaration of one without a name. */
  constructor(path: string, text: string, symbols: readonly SourceSymbol[], nameStarts: readonly number[]) {
    this.path = path;
    this.text = text;
    this.symbols = symbols;
    this.definitions = symbols.map(() => ({ exported: false, test: false }));
    this.#lines = new Lines(text);
    this.#symbolOf = new Map(nameStarts.map((start, symbol) => [start, symbol]));
  }

  /** The symbol that a name declares, or an unnamed declaration is. */
  symbolAt(node: SyntaxNode): { readonly symbol?: number } {
    const symbol = this.#symbolOf.get(node.start);
    return symbol === undefined ? {} : { symbol };
  }

  define(symbol: number | undefined, properties: Partial<Definition>): void {
    const definition = symbol === undefined ? undefined : this.definitions[symbol];
    if (symbol !== undefined && definition) this.definitions[symbol] = { ...definition, ...properties };
  }

  at(node: Pick<SyntaxNode, 'start'>): Located {
    return { start: node.start, line: this.#lines.at(node.start) + 1 };
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
