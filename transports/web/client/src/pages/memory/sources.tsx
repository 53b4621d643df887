import type { ReactNode } from 'react';
import { useTool } from '../../api/use-tool.js';
import { waiting } from '../../ui/format.js';
import { Loaded } from '../../ui/states.js';
import { nodeType, STATUSES, type Kind } from './kinds.js';
import { entryRow, eventRow, hitRow, nodeRow, PAGE_SIZE, rowPage, type RowPage } from './rows.js';

/** What a list is narrowed by; an empty text narrows nothing. */
export interface Filters {
  readonly workspaceId: string;
  readonly query: string;
  readonly kind: Kind | undefined;
  readonly type: string;
  readonly tag: string;
  readonly project: string;
  readonly status: string;
  /** Days, such as 2026-11-23. */
  readonly from: string;
  readonly to: string;
  readonly page: number;
}
interface Source {
  readonly filters: Filters;
  readonly children: (page: RowPage) => ReactNode;
}

const MAX_FOUND = 100;
const DAY_MS = 86_400_000;

/** The times from the first day to the last, both included. */
export function timesOf({ from, to }: Pick<Filters, 'from' | 'to'>) {
  const start = Date.parse(`${from}T00:00:00Z`);
  const end = Date.parse(`${to}T00:00:00Z`) + DAY_MS;
  return {
    ...(!Number.isNaN(start) && { since: new Date(start).toISOString() }),
    ...(!Number.isNaN(end) && { until: new Date(end).toISOString() }),
  };
}

/** Records by the tool that fits the filters: a search, events, knowledge, or both by time. */
export function Records(source: Source) {
  const { query, kind } = source.filters;
  if (query !== '') return <Found {...source} />;
  if (kind === 'event') return <Events {...source} />;
  if (kind === 'node') return <Nodes {...source} />;
  return <Both {...source} />;
}

function Both({ filters, children }: Source) {
  const { workspaceId, type, page } = filters;
  const found = useTool(
    'memory_timeline',
    {
      workspace_id: workspaceId,
      granularity: 'month',
      page,
      per_page: PAGE_SIZE,
      ...timesOf(filters),
      ...(type !== '' && { types: [type] }),
    },
    { keep: true },
  );
  return <Loaded query={found}>{(data) => children(rowPage(data, entryRow))}</Loaded>;
}

function Events({ filters, children }: Source) {
  const { workspaceId, type, tag, project, page } = filters;
  const found = useTool(
    'memory_list_events',
    {
      workspace_id: workspaceId,
      page,
      per_page: PAGE_SIZE,
      ...timesOf(filters),
      ...(type !== '' && { event_type: type }),
      ...(tag !== '' && { tags: [tag] }),
      ...(project !== '' && { project_id: project }),
    },
    { keep: true },
  );
  return <Loaded query={found}>{(data) => children(rowPage(data, eventRow))}</Loaded>;
}

function Nodes({ filters, children }: Source) {
  const { workspaceId, type, tag, project, status, page } = filters;
  const [node_type, of] = [nodeType(type), STATUSES.find((each) => each === status)];
  const found = useTool(
    'memory_list_nodes',
    {
      workspace_id: workspaceId,
      page,
      per_page: PAGE_SIZE,
      ...timesOf(filters),
      ...(node_type && { node_type }),
      ...(of && { status: of }),
      ...(tag !== '' && { tags: [tag] }),
      ...(project !== '' && { project_id: project }),
    },
    { keep: true },
  );
  return <Loaded query={found}>{(data) => children(rowPage(data, nodeRow))}</Loaded>;
}

function Found({ filters, children }: Source) {
  const { workspaceId, query, kind, type, project } = filters;
  const node_type = nodeType(type);
  const kinds: Kind[] = kind ? [kind] : type !== '' && !node_type ? ['event'] : ['event', 'node'];
  const found = useTool(
    'memory_search',
    {
      workspace_id: workspaceId,
      query,
      kinds,
      limit: MAX_FOUND,
      content_max_chars: 300,
      include_superseded: true,
      ...(type !== '' && { event_types: [type] }),
      ...(node_type && { node_types: [node_type] }),
      ...(project !== '' && { project_id: project }),
    },
    { keep: true },
  );
  return (
    <Loaded query={found}>
      {({ results, total, index, warnings }) =>
        children({
          rows: results.map(hitRow),
          total,
          pages: 1,
          warnings: [
            ...(index.pending > 0 ? [waiting(index.pending)] : []),
            ...(index.state === 'degraded' ? ['The index is incomplete. Health says why.'] : []),
            ...warnings,
          ],
        })
      }
    </Loaded>
  );
}
