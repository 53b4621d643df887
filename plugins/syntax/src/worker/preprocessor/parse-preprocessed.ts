import type { Node, Tree } from 'web-tree-sitter';
import type { Loaded } from '../grammars.js';
import type { Range } from '../mark-declarations.js';

interface Parsed {
  readonly tree: Tree;
  /** The text that was parsed: that of the file, or as long and partly blank. */
  readonly text: string;
}

/** Of the time for a text, for all attempts but the first. */
const SHARE = 1 / 4;
/** Each round may uncover more for the next one. */
const MAX_ROUNDS = 4;

/**
 * Parses a text, and where it has errors what its preprocessors leave of it. `limit`: milliseconds. Undefined
 * when time ran out.
 */
export function parsePreprocessed(
  { parser, preprocess }: Pick<Loaded, 'parser' | 'preprocess'>,
  text: string,
  limit: number,
  expired: () => boolean,
): Parsed | undefined {
  const tree = parser.parse(text, null, { progressCallback: expired });
  if (!tree) return undefined;
  const deadline = performance.now() + limit * SHARE;
  const isOver = (): boolean => performance.now() > deadline;
  let best: Parsed = { tree, text };
  let errors = errorsOf(tree.rootNode);
  for (let round = 0; round < MAX_ROUNDS && errors.length > 0; round += 1) {
    const before = best;
    for (const blank of preprocess) {
      const tried = blank(best.text, errors);
      if (tried === best.text) continue;
      const next = isOver() ? null : parser.parse(tried, null, { progressCallback: isOver });
      if (!next) {
        parser.reset();
        return best;
      }
      const left = errorsOf(next.rootNode);
      const isBetter = sizeOf(left) <= sizeOf(errors);
      (isBetter ? best.tree : next).delete();
      if (isBetter) [best, errors] = [{ tree: next, text: tried }, left];
    }
    if (best === before) break;
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
