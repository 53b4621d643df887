import { oneLine } from '@service-mcp/core';
import type { RelatedAnswer } from './related-knowledge.js';

const MAX_RELATIONS = 3;

/** Related nodes for a model: each with its relations, the best first; then the next call. */
export function relatedText({ nodes, edges, total }: Omit<RelatedAnswer, 'node'>, nodeId: string): string {
  if (nodes.length === 0)
    return 'No related nodes. graph_link_knowledge relates two nodes; memory_search finds others by words.';
  const lines = nodes.map(({ id, type, title, status, depth, score }) => {
    const own = edges.filter(({ source, target }) => source === id || target === id);
    const how = own.slice(0, MAX_RELATIONS).map(({ source, target, relation_type, origin }) => {
      const other = source === id ? target : source;
      const arrow = source === id ? `${relation_type} →` : `← ${relation_type}`;
      const end = other === nodeId ? 'this' : other;
      return `${arrow} ${end}${origin === 'explicit' ? '' : ` (${origin})`}`;
    });
    const standing = status === 'active' ? '' : `, ${status}`;
    return `${type}${standing}, depth ${depth}, ${score}: ${oneLine(title)} [${id}]\n  ${how.join('; ')}`;
  });
  const more = total > nodes.length ? `\n${total - nodes.length} more: raise limit.` : '';
  return `${lines.join('\n')}${more}\nmemory_get_node reads one.`;
}
