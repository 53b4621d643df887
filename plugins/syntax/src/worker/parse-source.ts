import type { Facts, SourceSymbol } from '../contract.js';
import { GRAMMARS } from '../grammars/index.js';
import type { Task } from './extract.js';
import { markFacts } from './facts/mark-facts.js';
import { placeFacts } from './facts/place-facts.js';
import { grammar, memoryIsLarge } from './grammars.js';
import { markDeclarations } from './mark-declarations.js';
import { placeSymbols } from './place-symbols.js';

export interface Extracted {
  readonly symbols: readonly SourceSymbol[];
  readonly facts?: Facts;
  readonly complete: boolean;
  /** True when time ran out: another attempt may find more. */
  readonly expired: boolean;
  /** True when time ran out or memory is large: this thread should not be used again. */
  readonly spent: boolean;
}

/** Parses one source text. Loading the grammar and its queries does not count against `limit` (milliseconds). */
export async function parseSource({ parser: id, text, limit, facts }: Task): Promise<Extracted> {
  const { parser, query, facts: factsOf } = await grammar(id);
  const rules = GRAMMARS.get(id)?.facts;
  const factsQuery = facts ? factsOf() : undefined;
  const deadline = performance.now() + limit;
  let expired = false;
  const check = (): boolean => (expired ||= performance.now() > deadline);
  parser.reset();
  const tree = parser.parse(text, null, { progressCallback: check });
  if (!tree) {
    parser.reset();
    return { symbols: [], complete: false, expired: true, spent: true };
  }
  try {
    const root = tree.rootNode;
    const hasError = root.hasError;
    const marks = markDeclarations(query, root, text, check);
    const { symbols, complete } = placeSymbols(text, marks);
    const found =
      factsQuery && rules
        ? placeFacts(markFacts(factsQuery, rules, root, text, check), {
            text,
            symbols,
            declared: new Set(marks.declarations.flatMap(({ nameStart }) => nameStart ?? [])),
            rules,
          })
        : undefined;
    return {
      symbols,
      ...(found && { facts: found }),
      complete: complete && !hasError && !expired,
      expired,
      spent: expired || memoryIsLarge(),
    };
  } finally {
    tree.delete();
  }
}
