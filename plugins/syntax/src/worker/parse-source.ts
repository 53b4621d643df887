import type { Code, SourceSymbol } from '../contract.js';
import { Lowering, LoweringExpired, type Lower } from './code/lowering.js';
import type { SyntaxNode } from './code/syntax-node.js';
import type { Task } from './extract.js';
import { grammar, memoryIsLarge } from './grammars.js';
import { markDeclarations } from './mark-declarations.js';
import { ParseBudget } from './parse-budget.js';
import { placeSymbols } from './place-symbols.js';
import { parsePreprocessed } from './preprocessor/parse-preprocessed.js';
import { restoreNameWords } from './preprocessor/name-words.js';
import { restoreStarts } from './preprocessor/restore-starts.js';

export interface Extracted {
  readonly symbols: readonly SourceSymbol[];
  readonly code?: Code;
  readonly complete: boolean;
  /** True when time ran out: another attempt may find more. */
  readonly expired: boolean;
  /** True when the parser took more steps than the length of the text allows: another attempt finds no more. */
  readonly complex: boolean;
  /** True when time ran out or memory is large: this thread should not be used again. */
  readonly spent: boolean;
}

/** Parses one source text. Loading the grammar and its queries does not count against `limit` (milliseconds). */
export async function parseSource({ parser: id, path, text, limit, code }: Task): Promise<Extracted> {
  const loaded = await grammar(id);
  const { parser, query, readTree, lower } = loaded;
  const deadline = performance.now() + limit;
  let expired = false;
  const check = (): boolean => (expired ||= performance.now() > deadline);
  parser.reset();
  const budget = new ParseBudget(text);
  const parsed = parsePreprocessed(loaded, text, limit, check, budget);
  if (!parsed) {
    parser.reset();
    const complex = budget.isSpent;
    return { symbols: [], complete: false, expired: !complex, complex, spent: !complex || memoryIsLarge() };
  }
  const { tree } = parsed;
  try {
    const root = tree.rootNode;
    const hasError = root.hasError;
    const readable = restoreNameWords(parsed.text, text);
    const marks = markDeclarations(query, root, readable, check);
    const placed = placeSymbols(text, restoreStarts(marks, text, readable));
    const read = code ? readTree(tree, check) : undefined;
    const found =
      read && lowered(lower, read.root, new Lowering({ path, text: readable, source: text }, placed, check));
    return {
      symbols: placed.symbols,
      ...(found && { code: found }),
      complete: placed.complete && !hasError && !parsed.isPartial && !expired && read?.complete !== false,
      expired,
      complex: false,
      spent: expired || memoryIsLarge(),
    };
  } finally {
    tree.delete();
  }
}

/** Undefined when time ran out. */
function lowered(lower: Lower, root: SyntaxNode, lowering: Lowering): Code | undefined {
  try {
    return { ...lower(root, lowering), definitions: lowering.definitions };
  } catch (error) {
    if (error instanceof LoweringExpired) return undefined;
    throw error;
  }
}
