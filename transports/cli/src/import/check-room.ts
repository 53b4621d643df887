import type { Connection } from '../connection/connection.js';
import { Failure } from '../failure.js';
import { count, plural } from '../terminal/format.js';
import { exportRecords, sentFile } from './export-records.js';

const RESOURCES = ['files', 'bytes'] as const;
type Growth = Readonly<Record<(typeof RESOURCES)[number], number>>;

/** Where an export goes. */
interface Target {
  readonly workspaceId: string;
  /** The projects of the workspace that those of the export go to, by their ids in the export. */
  readonly matches: ReadonlyMap<string, { readonly id: string }>;
  /** SHA-256 by path of what a project holds. */
  readonly hashesOf: (projectId: string) => Promise<ReadonlyMap<string, string>>;
}

/**
 * Throws a Failure where the files of an export would grow a workspace over a quota, before anything is written. Files that
 * are there stay, and do not count.
 */
export async function checkRoom(
  path: string,
  target: Target,
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  const args = { workspace_id: target.workspaceId };
  const { quotas = [] } = await connection.call('workspaces_overview', args, { repeatable: true });
  const limits = RESOURCES.flatMap((resource) =>
    quotas.filter((quota) => quota.resource === resource).map((quota) => ({ ...quota, resource })),
  );
  if (limits.length === 0) return;
  const added = await growth(path, target, signal);
  const full = limits.filter(({ resource, limit, used }) => added[resource] > Math.max(0, limit - used));
  if (full.length === 0) return;
  const reasons = full.map(
    ({ resource, limit, used }) =>
      `${plural(added[resource], resource.slice(0, -1))} to a workspace that may hold ${count(limit)} and holds ${count(used)}`,
  );
  const settings = full.map(
    ({ resource, used }) =>
      `quota_${resource} (SERVICE_QUOTA_${resource.toUpperCase()}) of the service to ${used + added[resource]}`,
  );
  throw new Failure(`The export adds ${reasons.join(', and ')}. Nothing was imported.`, {
    code: 'RESOURCE_EXHAUSTED',
    next: `Set ${settings.join(', and ')} or more, make room, or import memory alone with --memory.`,
  });
}

/** What the files of an export add to those that are there. */
async function growth(path: string, { matches, hashesOf }: Target, signal: AbortSignal): Promise<Growth> {
  const added = { files: 0, bytes: 0 };
  const held = new Map<string, ReadonlyMap<string, string>>();
  for await (const { kind, record } of exportRecords(path, signal)) {
    if (kind === 'project') {
      const id = String(record['id']);
      const match = matches.get(id);
      held.set(id, match ? await hashesOf(match.id) : new Map());
      continue;
    }
    const file = sentFile(record);
    const hashes = held.get(String(record['project_id']));
    if (!file || !hashes || hashes.has(file.path)) continue;
    added.files += 1;
    added.bytes += Buffer.byteLength(file.content);
  }
  return added;
}
