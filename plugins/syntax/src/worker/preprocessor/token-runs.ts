import type { Node } from 'web-tree-sitter';
import type { Range } from '../mark-declarations.js';

/**
 * Tokens in a row in one error. At each node, a query of tree-sitter looks through those after it for one with a name: of
 * 60,000 `func(` it takes most of a minute. Code with errors has a name every few tokens.
 */
const MAX_TOKENS = 2000;

/** Longer rows of tokens without names in the errors of a tree. */
export function tokenRunsOf(root: Node): Range[] {
  const runs: Range[] = [];
  const pending = root.hasError ? [root] : [];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.isError && node.childCount > MAX_TOKENS) runs.push(...runsIn(node));
    for (const child of node.children) if (child?.hasError) pending.push(child);
  }
  return runs;
}

function runsIn(error: Node): Range[] {
  const runs: Range[] = [];
  let run: Node[] = [];
  const end = (): void => {
    const [first, last] = [run[0], run.at(-1)];
    if (first && last && run.length > MAX_TOKENS) runs.push({ start: first.startIndex, end: last.endIndex });
    run = [];
  };
  for (const child of error.children)
    if (child && !child.isNamed) run.push(child);
    else end();
  end();
  return runs;
}

/** A text of the same length, in which ranges are blank. */
export function blankRanges(text: string, ranges: readonly Range[]): string {
  let blank = '';
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start < blank.length) continue;
    blank += text.slice(blank.length, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
  }
  return blank + text.slice(blank.length);
}
