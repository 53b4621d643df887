import { oneLine } from '@service-mcp/core';
import { outline } from '../outline.js';
import type { RelatedAnswer } from './related-knowledge.js';

const MAX_RELATIONS = 3;
/** With the rest of its line, so that this is not cut before the id. */
const MAX_TITLE = 200;

/** Related nodes for a model: each, as `it`, with its relations, the best first; then the next call. `this`: the requested node. */
export function relatedText({ nodes, edges, total }: Omit<RelatedAnswer, 'node'>, nodeId: string): string {
  if (nodes.length === 0)
    return 'No related nodes. memory_search finds others by words; graph_link_knowledge relates two nodes.';
  const lines = nodes.flatMap(({ id, type, title, status, depth, score }) => {
    const own = edges.filter(({ source, target }) => source === id || target === id);
    const how = own.slice(0, MAX_RELATIONS).map(({ source, target, relation_type, origin }) => {
      const [from, to] = [source, target].map((end) => (end === id ? 'it' : end === nodeId ? 'this' : end));
      return `${from} ${relation_type} ${to}${origin === 'explicit' ? '' : ` (${origin})`}`;
    });
    const standing = status === 'active' ? '' : `, ${status}`;
    const name = `${type}${standing}, depth ${depth}, ${score}: ${shortened(oneLine(title))} [${id}]`;
    return [name, `  ${how.join('; ')}`];
  });
  const more = total > nodes.length ? [`${total - nodes.length} more: raise limit.`] : [];
  return outline([], lines, [
    ...more,
    'memory_search with its title reads one, memory_get_node with its id.',
  ]);
}

function shortened(title: string): string {
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…`;
}
