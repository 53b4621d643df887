import { groupBy } from '../resolve/group-by.js';
import type { ProjectGraph } from './project-graph.js';
import { readInBatches, type ReadTexts } from './texts.js';

/** `__all__ = ['a', 'b']`, `__all__ += ('c',)`, `__all__.extend(['d'])`, with its names. */
const LIST = /^__all__\b[^[(\n]*[[(]([^\])]*)/gm;
const NAME = /(['"])(\w+)\1/g;

/** Those of some nodes that modules of Python list in `__all__`, as what they offer, and their members. Reads the files. */
export async function findListed(
  graph: ProjectGraph,
  nodes: readonly number[],
  readTexts: ReadTexts,
): Promise<number[]> {
  const ofModules = nodes.filter(
    (node) => graph.part(node).language === 'python' && graph.isModule(graph.parents[node]!),
  );
  const byPath = groupBy(ofModules, (node) => graph.path(node));
  const found: number[] = [];
  for await (const [path, text] of readInBatches([...byPath.keys()], readTexts)) {
    const names = new Set<string>();
    for (const [, list = ''] of text.matchAll(LIST))
      for (const [, , name = ''] of list.matchAll(NAME)) names.add(name);
    const listed = (byPath.get(path) ?? []).filter((node) => names.has(graph.symbol(node).name));
    for (const node of listed)
      for (const each of graph.contents(node)) if (graph.symbol(each).exported) found.push(each);
  }
  return found;
}
