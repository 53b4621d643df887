import { groupBy } from '../resolve/group-by.js';
import type { ProjectGraph } from './project-graph.js';
import { lineAt, readInBatches, startsOf, type ReadTexts } from './texts.js';

/** Lines of comments and decorators before a declaration. */
const MAX_LINES = 60;
/** A decorator, attribute or annotation of any of the languages. */
const DECORATOR = /^\s*(?:@[A-Za-z_]|#\[|#!\[|\[\[?[A-Za-z_])/;
const BETWEEN = /^\s*(?:$|\/\/|\/\*|\*|#(?!\[)|"""|--)/;

/** The nodes with a decorator, attribute or annotation: a framework may call them. Reads their files. */
export async function findDecorated(
  graph: ProjectGraph,
  nodes: readonly number[],
  readTexts: ReadTexts,
): Promise<number[]> {
  const byPath = groupBy(nodes, (node) => graph.path(node));
  const found: number[] = [];
  for await (const [path, text] of readInBatches([...byPath.keys()], readTexts)) {
    const own = byPath.get(path) ?? [];
    const starts = startsOf(
      text,
      own.map((node) => graph.symbol(node).startLine),
    );
    const lines = new Set<number>();
    for (const [line, start] of starts) if (isDecorated(text, start)) lines.add(line);
    for (const node of own) if (lines.has(graph.symbol(node).startLine)) found.push(node);
  }
  return found;
}

/** Whether a decorator stands at `start`, where a declaration begins, or behind comments there. */
function isDecorated(text: string, start: number): boolean {
  for (let lines = 0, at = start; lines < MAX_LINES && at <= text.length; lines++) {
    const line = lineAt(text, at);
    if (DECORATOR.test(line)) return true;
    if (!BETWEEN.test(line)) return false;
    at += line.length + 1;
  }
  return false;
}
