import { utc } from '../schemas.js';
import type { MemoryRecord } from '../services/kinds.js';
import type { EventLine, NodeFields, NodeLine } from './lines.js';

/** Whose records an import writes. */
export interface ImportScope {
  readonly workspaceId: string;
  /** Of records that name no creator. */
  readonly userId: string;
  /** RFC 3339; of records that name no time. */
  readonly now: string;
}

/** Maps an id of a file to that of the workspace. */
export type Ids = (id: string) => string;

export type RecordFields = (EventLine | NodeLine | NodeFields) & { readonly record?: string };

/** The record of a line in a workspace. */
export function recordOfLine(
  { record: _record, ...value }: RecordFields,
  ids: Ids,
  { workspaceId: workspace_id, userId, now }: ImportScope,
): MemoryRecord {
  const created_at = utc(value.created_at ?? now);
  const shared = {
    ...value,
    id: ids(value.id),
    workspace_id,
    created_by: value.created_by ?? userId,
    created_at,
    updated_at: utc(value.updated_at ?? created_at),
    indexing_status: 'pending' as const,
    indexing_error: null,
  };
  if ('event_type' in shared) return { ...shared, occurred_at: utc(shared.occurred_at ?? created_at) };
  const { supersedes, superseded_by, valid_from = created_at, valid_to } = shared;
  return {
    ...shared,
    valid_from: utc(valid_from),
    valid_to: valid_to === null ? null : utc(valid_to),
    supersedes: supersedes === null ? null : ids(supersedes),
    superseded_by: superseded_by === null ? null : ids(superseded_by),
  };
}
