import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Log } from '@service-mcp/core';
import type { IndexSource } from '../../contract.js';
import { waitingWorkspaces } from '../waiting-documents.js';
import { noteUncertainDocuments } from './drops.js';
import type { Place } from './generations.js';
import type { IndexTables } from './index-tables.js';
import { readRows } from './read-rows.js';

const ROWS_AT_ONCE = 2_000;
/** More that wait than this are looked at as if they did not: to index them again changes nothing. */
const MAX_WAITING = 100_000;
/** How often it is looked whether work of a workspace still waits. */
const WAITING_POLL_MS = 500;

interface Held {
  readonly id: string;
  readonly kind: string;
  readonly sha256: string;
}

interface StrayParts {
  readonly database: Database;
  readonly sources: readonly IndexSource[];
  readonly log: Log;
}

/**
 * Notes the strays of an index, which are then taken out, or indexed again. What was deleted a moment ago looks like one
 * until its removal is done: only those that are still there once nothing of the workspace waits are strays.
 */
export async function noteStrays(
  { database, sources, log }: StrayParts,
  { workspaceId, shared }: Place,
  tables: IndexTables,
  signal: AbortSignal,
): Promise<void> {
  if (shared) return; // its documents wait to be indexed elsewhere
  const suspects = await findStrays(tables, workspaceId, sources);
  if (suspects.length === 0) return;
  while (await isWaiting(database, sources, workspaceId))
    await delay(WAITING_POLL_MS, undefined, { ref: false, signal });
  const left = new Set(await findStrays(tables, workspaceId, sources));
  const strays = suspects.filter((id) => left.has(id));
  if (strays.length === 0) return;
  const fields = { workspace: workspaceId, documents: strays.length };
  log.warn(fields, 'an index holds what the database does not: it is taken out, or indexed again');
  await noteUncertainDocuments(database, workspaceId, strays);
}

/** Whether documents or removals of a workspace wait. */
async function isWaiting(
  database: Database,
  sources: readonly IndexSource[],
  workspaceId: string,
): Promise<boolean> {
  if (await database.sql('search_drops').where({ index_of: workspaceId }).first('id')) return true;
  return (await waitingWorkspaces(sources)).includes(workspaceId);
}

/**
 * The documents of an index that the database does not know, or knows with another content that does not wait to be
 * indexed: after an older copy of the database was restored beside it. The index is read first, as it follows the database:
 * what is in it and not in the database was deleted. Documents of kinds without a source stay: their plugin is not enabled.
 */
async function findStrays(
  tables: IndexTables,
  workspaceId: string,
  sources: readonly IndexSource[],
): Promise<readonly string[]> {
  const strays: string[] = [];
  let changed: string[] = [];
  const kinds = new Set<string>(sources.flatMap((source) => source.kinds));
  const rows = await readRows<Held>(tables.documents.query().select(['id', 'kind', 'sha256']));
  const held = rows.filter(({ kind }) => kinds.has(kind));
  for (let at = 0; at < held.length; at += ROWS_AT_ONCE) {
    const some = held.slice(at, at + ROWS_AT_ONCE);
    const known = new Map<string, string>();
    for (const source of sources) {
      const states = await source.states(some.map(({ id }) => id));
      for (const [id, { sha256 }] of states) known.set(id, sha256);
    }
    for (const { id, sha256 } of some) {
      const current = known.get(id);
      if (current === undefined) strays.push(id);
      else if (current !== sha256) changed.push(id);
    }
  }
  if (changed.length > 0) {
    const waiting = new Set<string>();
    for (const source of sources)
      for (const id of await source.newest(workspaceId, MAX_WAITING)) waiting.add(id);
    changed = changed.filter((id) => !waiting.has(id));
  }
  return [...strays, ...changed];
}
