import type { SourceSymbol } from '../contract.js';
import { grammar, memoryIsLarge } from './grammars.js';
import { markDeclarations } from './marks.js';
import { placeSymbols } from './place.js';

export interface Extracted {
  readonly symbols: readonly SourceSymbol[];
  readonly complete: boolean;
  /** True where time ran out or memory was stretched: this thread should not be used again. */
  readonly spent: boolean;
}

/** Parses one source text. Loading the grammar does not count against `limit` (milliseconds). */
export async function parseSource(id: string, text: string, limit: number): Promise<Extracted> {
  const { parser, query } = await grammar(id);
  const deadline = performance.now() + limit;
  let expired = false;
  const check = (): boolean => (expired ||= performance.now() > deadline);
  parser.reset();
  const tree = parser.parse(text, null, { progressCallback: check });
  if (!tree) {
    parser.reset();
    return { symbols: [], complete: false, spent: true };
  }
  try {
    const root = tree.rootNode;
    const hasError = root.hasError;
    const placed = placeSymbols(text, markDeclarations(query, root, text, check));
    return {
      symbols: placed.symbols,
      complete: placed.complete && !hasError && !expired,
      spent: expired || memoryIsLarge(),
    };
  } finally {
    tree.delete();
  }
}
