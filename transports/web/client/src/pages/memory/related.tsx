import { useTool } from '../../api/use-tool.js';
import type { Output } from '../../api/call.js';
import { useToolNames } from '../../shell/use-pages.js';
import { words } from '../../ui/format.js';
import { Failed } from '../../ui/states.js';
import { StatusBadge } from './badges.js';
import { useOpenRecord } from './open-record.js';

type Edge = Output<'graph_related_knowledge'>['edges'][number];

const PASSIVE: Readonly<Record<Edge['relation_type'], string>> = {
  influences: 'Influenced by',
  depends_on: 'Required by',
  supersedes: 'Superseded by',
  related_to: 'Related to',
  implements: 'Implemented by',
  contradicts: 'Contradicts',
};

/** What else is known beside it, and why it is related. Nothing where the deployment has no graph. */
export function Related({ nodeId }: { readonly nodeId: string }) {
  const { open } = useOpenRecord();
  const related = useTool(
    'graph_related_knowledge',
    { node_id: nodeId, max_depth: 1, limit: 30 },
    { enabled: useToolNames().has('graph_related_knowledge') },
  );
  if (related.error) return <Failed error={related.error} again={() => void related.refetch()} />;
  if (!related.data || related.data.nodes.length === 0) return null;
  const { nodes, edges } = related.data;
  return (
    <section aria-label="Related">
      <h3>Related</h3>
      <ul className="related">
        {nodes
          .filter(({ id }) => id !== nodeId)
          .map(({ id, title, type, status }) => {
            const edge = edges.find(
              ({ source, target }) => [source, target].includes(id) && [source, target].includes(nodeId),
            );
            return (
              <li key={id}>
                <span className="muted">{edge ? relation(edge, nodeId) : 'Related to'}</span>
                <button type="button" className="link" onClick={() => open('node', id)}>
                  {title}
                </button>
                <span className="badge">{words(type)}</span>
                {status !== 'active' && <StatusBadge status={status} />}
              </li>
            );
          })}
      </ul>
    </section>
  );
}

function relation({ source, relation_type, origin }: Edge, nodeId: string): string {
  if (origin === 'semantic') return 'Similar to';
  if (origin === 'code') return 'Same code as';
  return source === nodeId ? words(relation_type) : PASSIVE[relation_type];
}
