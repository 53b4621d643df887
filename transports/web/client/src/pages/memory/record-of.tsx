import type { ReactNode } from 'react';
import { useTool } from '../../api/use-tool.js';
import { Loaded } from '../../ui/states.js';
import type { Kind, MemoryRecord } from './kinds.js';

interface Props {
  readonly id: string;
  /** In the place of a record that is there no more; without it, the failure is shown. */
  readonly gone?: ReactNode;
  readonly children: (record: MemoryRecord) => ReactNode;
}

/** That it was indexed, no event tells. */
const isUnfinished = ({ indexing_status }: Pick<MemoryRecord, 'indexing_status'>) =>
  indexing_status === 'pending';

/** Reads a record of either kind. */
export function RecordOf({ kind, ...props }: Props & { readonly kind: Kind }) {
  return kind === 'event' ? <EventOf {...props} /> : <NodeOf {...props} />;
}
function EventOf({ id, gone, children }: Props) {
  const event = useTool('memory_get_event', { event_id: id }, { isUnfinished });
  if (gone !== undefined && event.error?.status === 404) return gone;
  return <Loaded query={event}>{(data) => children({ kind: 'event', ...data })}</Loaded>;
}
function NodeOf({ id, gone, children }: Props) {
  const node = useTool('memory_get_node', { node_id: id }, { isUnfinished });
  if (gone !== undefined && node.error?.status === 404) return gone;
  return <Loaded query={node}>{(data) => children({ kind: 'node', ...data })}</Loaded>;
}
