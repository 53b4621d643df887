import type { Node, Tree } from 'web-tree-sitter';
import type { Loaded } from '../grammars.js';
import type { Range } from '../mark-declarations.js';
import { ParseBudget } from '../parse-budget.js';
import { openMacros } from './rust-item-macros.js';
import { blankRanges, tokenRunsOf } from './token-runs.js';

interface Parsed {
  readonly tree: Tree;
  /** The text that was parsed: that of the file, or as long and partly blank. */
  readonly text: string;
  /** Code was left out that no error of the tree shows. */
  readonly isPartial?: true;
}

/** Of the time for a text, for all attempts but the first. */
const SHARE = 1 / 4;
/** Each round may uncover more for the next one. */
const MAX_ROUNDS = 4;

type Preprocessing = Pick<Loaded, 'parser' | 'preprocess' | 'blankMisread' | 'itemMacros'>;

/**
 * Parses a text without what its grammar misreads, and where it has errors what its preprocessors leave of it. `limit`: milliseconds. Undefined
 * when time or the budget ran out.
 */
export function parsePreprocessed(
  loaded: Preprocessing,
  text: string,
  limit: number,
  expired: () => boolean,
  budget = new ParseBudget(text),
): Parsed | undefined {
  const { parser, preprocess, blankMisread } = loaded;
  const tree = parser.parse(text, null, { progressCallback: () => budget.spend() || expired() });
  if (!tree) return undefined;
  const deadline = performance.now() + limit * SHARE;
  const isOver = (): boolean => budget.isSpent || performance.now() > deadline;
  const isOverNext = (): boolean => budget.spend() || isOver();
  let best: Parsed = { tree, text };
  let errors = errorsOf(tree.rootNode);
  for (let round = 0; round < MAX_ROUNDS && (round === 0 || errors.length > 0); round += 1) {
    const before = best;
    const first = round === 0 && blankMisread ? [blankMisread] : [];
    for (const blank of [...first, ...(errors.length > 0 ? preprocess : [])]) {
      if (isOver()) return withoutRuns(loaded, best, budget, expired);
      const tried = blank(best.text, errors);
      if (tried === best.text) continue;
      const next = parser.parse(tried, null, { progressCallback: isOverNext });
      if (!next) {
        parser.reset();
        return withoutRuns(loaded, best, budget, expired);
      }
      const left = errorsOf(next.rootNode);
      const isBetter = sizeOf(left) <= sizeOf(errors);
      (isBetter ? best.tree : next).delete();
      if (isBetter) [best, errors] = [{ tree: next, text: tried }, left];
    }
    if (best === before) break;
  }
  const opened = loaded.itemMacros ? openItems(loaded, loaded.itemMacros, best, isOver, isOverNext) : best;
  return withoutRuns(loaded, opened, budget, expired);
}

/** Without what makes the tree slow to read. */
function withoutRuns(
  { parser }: Preprocessing,
  parsed: Parsed,
  budget: ParseBudget,
  expired: () => boolean,
): Parsed | undefined {
  let best = parsed;
  for (let round = 0; ; round += 1) {
    const runs = tokenRunsOf(best.tree.rootNode);
    if (runs.length === 0) return best;
    const text = blankRanges(best.text, runs);
    best.tree.delete();
    const isOver = (): boolean => budget.spend() || expired();
    const tree = round < MAX_ROUNDS ? parser.parse(text, null, { progressCallback: isOver }) : null;
    if (!tree) {
      if (!expired()) budget.exhaust();
      return undefined;
    }
    best = { tree, text, isPartial: true };
  }
}

/** Reads what macros hold as items, except where that has errors. Macros may hold others. */
function openItems(
  { parser }: Preprocessing,
  itemMacros: NonNullable<Loaded['itemMacros']>,
  parsed: Parsed,
  isOver: () => boolean,
  isOverNext: () => boolean,
): Parsed {
  const refused = new Set<number>();
  let best = parsed;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = itemMacros(best.tree.rootNode, best.text).filter(({ start }) => !refused.has(start));
    if (found.length === 0) break;
    const text = openMacros(best.text, found);
    const tree = isOver() ? null : parser.parse(text, null, { progressCallback: isOverNext });
    if (!tree) {
      parser.reset();
      break;
    }
    const errors = errorsOf(tree.rootNode);
    const failed = found.filter((macro) =>
      errors.some((each) => each.start < macro.end && each.end >= macro.start),
    );
    for (const { start } of failed) refused.add(start);
    const isBetter = failed.length === 0 && sizeOf(errors) <= sizeOf(errorsOf(best.tree.rootNode));
    (isBetter ? best.tree : tree).delete();
    if (isBetter) best = { tree, text };
    else if (failed.length === 0) break;
  }
  return best;
}

/** The outermost errors; a missing token is one without length. */
function errorsOf(root: Node): Range[] {
  const errors: Range[] = [];
  const pending = root.hasError ? [root] : [];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.isError || node.isMissing) errors.push({ start: node.startIndex, end: node.endIndex });
    else for (const child of node.children) if (child?.hasError) pending.push(child);
  }
  return errors;
}

function sizeOf(errors: readonly Range[]): number {
  return errors.reduce((size, { start, end }) => size + 1 + end - start, 0);
}
