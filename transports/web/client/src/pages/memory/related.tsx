import { useAction, useTool } from '../../api/use-tool.js';
import type { Output } from '../../api/call.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useToolNames } from '../../shell/use-pages.js';
import { words } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Failed } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { StatusBadge } from './badges.js';
import type { KnowledgeNode } from './kinds.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { Relate } from './relate.js';

type Edge = Output<'graph_related_knowledge'>['edges'][number];
type Link = Output<'graph_list_links'>['items'][number];
type Found = Output<'graph_related_knowledge'>['nodes'][number];

/** Edges of a node that can be removed here: more than anybody states by hand. */
const MAX_LINKS = 100;
const PASSIVE: Readonly<Record<Edge['relation_type'], string>> = {
  influences: 'Influenced by',
  depends_on: 'Required by',
  supersedes: 'Superseded by',
  related_to: 'Related to',
  implements: 'Implemented by',
  contradicts: 'Contradicts',
};

/** What else is known beside it, and why it is related. Nothing where the deployment has no graph. */
export function Related({ node }: { readonly node: KnowledgeNode }) {
  const { id: nodeId } = node;
  const [get, set] = useAddress();
  const may = useMayWrite();
  const served = useToolNames();
  const related = useTool(
    'graph_related_knowledge',
    { node_id: nodeId, max_depth: 1, limit: 30 },
    { enabled: served.has('graph_related_knowledge') },
  );
  const canUnlink = may('graph_unlink_knowledge') && served.has('graph_list_links');
  const links = useTool('graph_list_links', { node_id: nodeId, per_page: MAX_LINKS }, { enabled: canUnlink });
  const canLink = may('graph_link_knowledge');
  const isForm = canLink && get('form') === 'relate';
  if (related.error) return <Failed error={related.error} again={() => void related.refetch()} />;
  if (!related.data) return null;
  const { nodes, edges } = related.data;
  const rows = nodes
    .filter(({ id }) => id !== nodeId)
    .flatMap((found) => {
      const between = edges.filter(({ source, target }) => ends(source, target) === ends(found.id, nodeId));
      return between.map((edge) => ({ found, edge }));
    });
  if (rows.length === 0 && !canLink) return null;
  return (
    <section aria-label="Related">
      <header>
        <h3 className="grow">Related</h3>
        {canLink && (
          <button
            type="button"
            className="button small"
            aria-expanded={isForm}
            onClick={() => set({ form: isForm ? '' : 'relate' })}
          >
            Relate to…
          </button>
        )}
      </header>
      {isForm && <Relate node={node} onDone={() => set({ form: '' })} />}
      {rows.length > 0 && (
        <ul className="related">
          {rows.map(({ found, edge }) => (
            <Row
              key={`${found.id} ${edge.relation_type} ${edge.origin} ${edge.source}`}
              nodeId={nodeId}
              found={found}
              edge={edge}
              link={edge.origin === 'explicit' ? linkOf(edge, links.data?.items) : undefined}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({
  nodeId,
  found: { id, title, type, status },
  edge,
  link,
}: {
  readonly nodeId: string;
  readonly found: Found;
  readonly edge: Edge;
  /** The edge as it can be removed; none of one that was found by meaning or code. */
  readonly link: Link | undefined;
}) {
  const { open } = useOpenRecord();
  const note = useNote();
  const unlink = useAction('graph_unlink_knowledge');
  const onRemove = ({ id: edge_id }: Link) =>
    unlink.run({ edge_id }, () => note({ text: `The relation to “${title}” is removed.` }));
  return (
    <li>
      <span className="muted">{relation(edge, nodeId)}</span>
      <button type="button" className="link" onClick={() => open('node', id)}>
        {title}
      </button>
      <span className="badge">{words(type)}</span>
      {status !== 'active' && <StatusBadge status={status} />}
      {link && (
        <button
          type="button"
          className="button quiet small icon-only"
          aria-label={`Remove the relation to ${title}`}
          title="Remove the relation"
          disabled={unlink.isPending}
          onClick={() => onRemove(link)}
        >
          <Icon name="close" />
        </button>
      )}
      {link !== undefined && link.context !== null && <span className="muted context">{link.context}</span>}
      {unlink.error && <Failed error={unlink.error} />}
    </li>
  );
}

/** The two ends of an edge in either direction. */
const ends = (...ids: readonly [string, string]) => [...ids].sort().join(' ');

function linkOf({ source, target, relation_type }: Edge, links: readonly Link[] = []): Link | undefined {
  return links.find(
    (each) =>
      each.source_node_id === source &&
      each.target_node_id === target &&
      each.relation_type === relation_type,
  );
}

function relation({ source, relation_type, origin }: Edge, nodeId: string): string {
  if (origin === 'semantic') return 'Similar to';
  if (origin === 'code') return 'Same code as';
  return source === nodeId ? words(relation_type) : PASSIVE[relation_type];
}
