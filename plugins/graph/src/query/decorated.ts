import type { ProjectGraph } from './project-graph.js';

const MAX_FILES = 500;
/** Lines of comments and decorators before a declaration. */
const MAX_LINES = 60;
/** A decorator, attribute or annotation of any of the languages. */
const DECORATOR = /^\s*(?:@[A-Za-z_]|#\[|#!\[|\[\[?[A-Za-z_])/;
const BETWEEN = /^\s*(?:$|\/\/|\/\*|\*|#(?!\[)|"""|--)/;

/** The nodes with a decorator, attribute or annotation: a framework may call them. Reads up to 500 files. */
export async function findDecorated(
  graph: ProjectGraph,
  nodes: readonly number[],
  readTexts: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<number[]> {
  const paths = [...new Set(nodes.map((node) => graph.path(node)))].slice(0, MAX_FILES);
  const texts = await readTexts(paths);
  const lines = new Map(Array.from(texts, ([path, text]) => [path, text.split('\n')]));
  return nodes.filter((node) => isDecorated(lines.get(graph.path(node)) ?? [], graph.symbol(node).startLine));
}

function isDecorated(lines: readonly string[], startLine: number): boolean {
  for (const line of lines.slice(startLine - 1, startLine - 1 + MAX_LINES)) {
    if (DECORATOR.test(line)) return true;
    if (!BETWEEN.test(line)) return false;
  }
  return false;
}
