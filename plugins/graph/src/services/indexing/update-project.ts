import type { FileChanges, QueuedFile } from '@service-mcp/plugin-workspaces/contract';
import type { Lease, Log } from '@service-mcp/core';
import type { Manifest } from '../../model.js';
import type { GraphStore, StoredFile, StoredProject } from '../store/graph-store.js';
import type { StructureStore } from '../store/structures.js';
import type { Resolved } from '../thread/graph-tasks.js';
import type { GraphThread } from '../thread/graph-thread.js';
import type { ParsedFile } from './parse-files.js';

/** A claimed file of a project. */
export interface FileChange {
  readonly file: Omit<QueuedFile, 'text'>;
  /** Undefined for a deleted file. */
  readonly parsed: ParsedFile | undefined;
}

export interface UpdateParts {
  readonly changes: FileChanges;
  readonly graphs: GraphStore;
  readonly structures: StructureStore;
  readonly thread: GraphThread;
  readonly isManifest: (path: string) => boolean;
  /** See {@link GraphThread.resolve}. */
  readonly resolveTimeoutMs: number;
  readonly log: Log;
}

/** A project whose graph this process may write. */
export interface ProjectTurn {
  readonly projectId: string;
  readonly workspaceId: string;
  readonly lease: Lease;
}

type NextFile = Omit<StoredFile, 'partHash'> & { readonly partHash: string | null };

/** The files of a project after changes that are not stored yet. */
interface NextFiles {
  readonly files: Map<string, NextFile>;
  /** Ids of files whose row differs from the stored one. */
  readonly changed: Set<string>;
  readonly removed: readonly string[];
}

/** How often structures that a thread lacks are sent: it may be replaced in between. */
const MAX_SENDS = 3;

/**
 * Resolves a project with its changed files, and writes the parts that differ. `resolveMs` is 0 where the changes cannot
 * alter the graph. Undefined where the lease was lost or another process wrote: nothing must be settled then. Rejects with
 * a ResolveFailure where the project cannot be resolved.
 */
export async function updateProject(
  turn: ProjectTurn,
  changes: readonly FileChange[],
  parts: UpdateParts,
  signal: AbortSignal,
): Promise<{ readonly resolveMs: number; readonly written: number } | undefined> {
  const { projectId, workspaceId, lease } = turn;
  const stored = await parts.graphs.read(projectId);
  const next = applyChanges(stored, changes, parts.isManifest);
  if (!next) return { resolveMs: 0, written: 0 };
  const startedAt = performance.now();
  const resolved = await resolve(workspaceId, next, parts, signal);
  const resolveMs = performance.now() - startedAt;
  const written = [...next.files.values()].flatMap((file) => {
    const part = resolved.get(file.path);
    if (part) return [{ ...file, partHash: part.hash, part: part.part }];
    return next.changed.has(file.id) && file.partHash !== null ? [{ ...file, partHash: file.partHash }] : [];
  });
  if (!(await lease.holds())) return undefined;
  const released = new Set<string>();
  for (const id of [...next.changed, ...next.removed]) {
    const hash = stored.files.get(id)?.structure;
    if (hash && hash !== next.files.get(id)?.structure) released.add(hash);
  }
  const isWritten = await parts.graphs.write({
    projectId,
    workspaceId,
    after: stored.generation,
    written,
    removed: next.removed,
    released: [...released],
    resolveMs,
  });
  return isWritten ? { resolveMs, written: written.length } : undefined;
}

/** Undefined where nothing that the resolver reads changes. */
function applyChanges(
  stored: StoredProject,
  changes: readonly FileChange[],
  isManifest: (path: string) => boolean,
): NextFiles | undefined {
  const files = new Map<string, NextFile>(stored.files);
  const changed = new Set<string>();
  const removed: string[] = [];
  let isAltered = false;
  for (const { file, parsed } of changes) {
    const { id, path, language } = file;
    const before = stored.files.get(id);
    if (!parsed) {
      if (!before) continue;
      files.delete(id);
      removed.push(id);
      isAltered = true;
      continue;
    }
    const { structure, note } = parsed;
    const after = { id, path, language, structure, note, partHash: before?.partHash ?? null };
    const isSame =
      before?.structure === after.structure && before.note === after.note && before.language === language;
    if (isSame && !isManifest(path)) continue;
    files.set(id, after);
    changed.add(id);
    isAltered = true;
  }
  return isAltered ? { files, changed, removed } : undefined;
}

async function resolve(
  workspaceId: string,
  next: NextFiles,
  { changes, structures, thread, isManifest, resolveTimeoutMs, log }: UpdateParts,
  signal: AbortSignal,
): Promise<Extract<Resolved, { parts: unknown }>['parts']> {
  const manifests = await readManifests(next, changes, isManifest);
  for (let sends = 0; sends < MAX_SENDS; sends++) {
    const files = [...next.files.values()].sort(byPath);
    const result = await thread.resolve({ files, manifests }, resolveTimeoutMs, signal);
    if ('parts' in result) return result.parts;
    const missing = new Set(result.missing);
    for await (const batch of structures.read(workspaceId, result.missing)) {
      for (const hash of batch.keys()) missing.delete(hash);
      await thread.addStructures(batch, signal);
    }
    const lost = files.filter(({ structure }) => structure !== null && missing.has(structure));
    if (lost.length === 0) continue;
    const fields = { workspace: workspaceId, files: lost.length };
    log.warn(fields, 'structures of files are missing; the files are parsed again');
    const ids = lost.map(({ id }) => id);
    await changes.requeue(workspaceId, ids);
    for (const file of lost) {
      next.files.set(file.id, { ...file, structure: null });
      next.changed.add(file.id);
    }
  }
  throw new Error('the thread misses structures that it was given');
}

/** In order of path: the resolver gives the same graph whatever the order of changes was. */
function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

async function readManifests(
  { files }: NextFiles,
  changes: FileChanges,
  isManifest: (path: string) => boolean,
): Promise<Manifest[]> {
  const found = [...files.values()].filter(({ path }) => isManifest(path)).sort(byPath);
  if (found.length === 0) return [];
  const texts = await changes.texts(found.map(({ id }) => id));
  return found.flatMap(({ id, path }) => {
    const text = texts.get(id);
    return text === undefined ? [] : [{ path, text }];
  });
}
