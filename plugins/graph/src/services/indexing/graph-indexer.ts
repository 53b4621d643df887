import type { Lease, Leases } from '@service-mcp/core';
import type { FileOutcome, QueuedFile } from '@service-mcp/plugin-workspaces/contract';
import { parseFiles, type ParseParts } from './parse-files.js';
import { updateEach } from './update-each.js';
import type { FileChange, UpdateParts } from './update-project.js';

/** Workspaces tried in one round: of some, other processes hold the lease, or nothing is due. */
const MAX_TRIED = 32;
/** Files that are parsed before small changes are looked for again. */
const BATCH = { limit: 64, maxBytes: 4 * 1024 * 1024 } as const;
const SETTLED_AT_ONCE = 500;
/** A turn on a workspace collects changes for so long before its projects are resolved… */
const TURN_MS = 2000;
/**
 * …or, where resolving takes longer, for so many times of that: at most a fifth of the time is spent on resolving. For twice
 * as long where nothing is left then: the end of an ingest is resolved with what came before it.
 */
const PARSE_SHARE = 4;
/** Small changes that keep coming are collected as long, but no longer than this, and not where resolving is quick. */
const MAX_REST_MS = 30_000;
const QUICK_MS = 100;
/** From so many claims on, files are resolved apart from others: one of them may have ended the process. */
const SUSPECT_ATTEMPTS = 4;

export interface IndexerParts extends UpdateParts, ParseParts {
  readonly leases: Leases;
}

interface Turn {
  readonly workspaceId: string;
  readonly lease: Lease;
  /** Parsed changes that are not in the graph yet, by file id. */
  readonly held: Map<string, FileChange>;
  /** Hashes of the structures of texts that it held, and of which a newer change came. */
  readonly overtaken: Set<string>;
}

/**
 * Updates graphs from changed files: claim, parse, resolve, write, settle. Each workspace is written under its lease, so
 * that several processes share the work; a turn on one takes some seconds, and changes of a few files come first. Nothing is
 * settled before the graph is written: a crash anywhere leaves the claims, and the next turn repeats the work.
 */
export class GraphIndexer {
  readonly #parts: IndexerParts;
  /** How long the projects of a workspace took to resolve last, in milliseconds, and when its next turn may begin. */
  readonly #resolved = new Map<string, { readonly ms: number; readonly nextAt: number }>();

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /** `more`: another round should follow at once. */
  async round(signal: AbortSignal): Promise<{ readonly more: boolean }> {
    await this.#followVersion();
    let files = await this.#small(signal);
    const waiting = await this.#parts.changes.waitingWorkspaces();
    for (const workspaceId of waiting.slice(0, MAX_TRIED)) {
      const indexed = await this.#turn(workspaceId, signal);
      files += indexed;
      if (indexed > 0) break;
    }
    return { more: files > 0 };
  }

  async hasWork(): Promise<boolean> {
    const { changes, graphs } = this.#parts;
    return (await changes.waitingWorkspaces()).length > 0 || (await graphs.outdated()).length > 0;
  }

  /**
   * Indexes what the newest small changes made, where resolving is quick; elsewhere all that waits is resolved together.
   * Returns the number of files.
   */
  async #small(signal: AbortSignal): Promise<number> {
    let files = 0;
    for (const workspaceId of await this.#parts.changes.waitingWorkspaces({ small: true }))
      if (this.#isQuick(workspaceId)) files += await this.#turn(workspaceId, signal, true);
    return files;
  }

  #isQuick(workspaceId: string): boolean {
    return (this.#resolved.get(workspaceId)?.ms ?? 0) < QUICK_MS;
  }

  /** Graphs of another version are built again. */
  async #followVersion(): Promise<void> {
    const { changes, graphs, leases } = this.#parts;
    for (const workspaceId of await graphs.outdated()) {
      await using lease = await takeLease(leases, workspaceId);
      if (!lease) continue;
      await changes.requeue(workspaceId);
      await graphs.reset(workspaceId);
    }
  }

  /**
   * Indexes changes of a workspace, or its small ones alone. Returns how many; 0 while it rests, or another process has its
   * lease.
   */
  async #turn(workspaceId: string, signal: AbortSignal, isSmall = false): Promise<number> {
    const before = this.#resolved.get(workspaceId);
    const { ms: resolveMs = 0, nextAt = 0 } = before ?? {};
    if (performance.now() < nextAt) return 0;
    await using lease = await takeLease(this.#parts.leases, workspaceId);
    if (!lease) return 0;
    const limitMs = Math.max(TURN_MS, PARSE_SHARE * resolveMs);
    const startedAt = performance.now();
    const turn: Turn = { workspaceId, lease, held: new Map(), overtaken: new Set() };
    let files = 0;
    let mayHaveLeft = before === undefined; // an earlier process, of attempts that did not end
    let isDrained = false;
    let hasSmall = false;
    for (;;) {
      const small = await this.#claim(turn, true);
      hasSmall ||= small.length > 0;
      const others = isSmall || isFull(small) ? [] : await this.#claim(turn, false);
      const claimed = latestOf(small, others);
      isDrained = !isFull(claimed);
      if (claimed.length === 0) break;
      mayHaveLeft ||= claimed.some(({ attempts }) => attempts > 1);
      const isSuspect = claimed.some(({ attempts }) => attempts >= SUSPECT_ATTEMPTS);
      if (isSuspect) files += await this.#flush(turn, signal);
      await this.#parse(turn, claimed, signal);
      if (isSuspect) files += await this.#flush(turn, signal);
      if (isSmall || isDrained) break;
      const elapsed = performance.now() - startedAt;
      const limit = hasSmall ? resolveMs : limitMs;
      if (elapsed > limit && !(await this.#isNearEnd(turn, elapsed, 2 * limit))) break;
      await this.#small(signal); // those of other workspaces: the lease of this one is taken
    }
    files += await this.#flush(turn, signal);
    if (isDrained) this.#rest(workspaceId, startedAt);
    if (mayHaveLeft && (await lease.holds())) await this.#parts.graphs.prune(workspaceId);
    return files;
  }

  /** Whether what waits would be parsed, as fast as what the turn has in `elapsedMs`, within `untilMs` of its begin. */
  async #isNearEnd({ workspaceId, held }: Turn, elapsedMs: number, untilMs: number): Promise<boolean> {
    const most = Math.floor((held.size * untilMs) / elapsedMs);
    if (most <= held.size) return false;
    return (await this.#parts.changes.newest(workspaceId, most + 1)).length <= most;
  }

  /** Puts the next turn off where this one, begun at `startedAt`, was short for what its resolution took. */
  #rest(workspaceId: string, startedAt: number): void {
    const { ms = 0 } = this.#resolved.get(workspaceId) ?? {};
    const restMs = this.#isQuick(workspaceId) ? 0 : Math.min(MAX_REST_MS, PARSE_SHARE * ms);
    this.#resolved.set(workspaceId, { ms, nextAt: startedAt + ms + restMs });
  }

  /** Changes that the turn does not hold yet. */
  async #claim({ workspaceId, held }: Turn, small: boolean): Promise<QueuedFile[]> {
    const claimed = await this.#parts.changes.claim({ ...BATCH, small, only: workspaceId });
    return claimed.filter(({ id, revision }) => held.get(id)?.file.revision !== revision);
  }

  async #parse(
    { workspaceId, held, overtaken }: Turn,
    files: readonly QueuedFile[],
    signal: AbortSignal,
  ): Promise<void> {
    const startedAt = performance.now();
    const existing = files.filter(({ removed }) => !removed);
    const parsed = await parseFiles(workspaceId, existing, this.#parts, signal);
    for (const { text: _text, ...file } of files) {
      const hash = held.get(file.id)?.parsed?.structure;
      if (typeof hash === 'string') overtaken.add(hash);
      held.set(file.id, { file, parsed: parsed.get(file.id) });
    }
    const parse_ms = Math.round(performance.now() - startedAt);
    const fields = { workspace: workspaceId, files: files.length, parse_ms };
    this.#parts.log.debug(fields, 'files are parsed for the graph');
  }

  /** Brings what a turn holds into the graphs of its projects, and settles it. Returns the number of files. */
  async #flush({ workspaceId, lease, held, overtaken }: Turn, signal: AbortSignal): Promise<number> {
    const byProject = new Map<string, FileChange[]>();
    for (const change of held.values()) {
      const { projectId } = change.file;
      const changes = byProject.get(projectId) ?? [];
      changes.push(change);
      byProject.set(projectId, changes);
    }
    held.clear();
    let settled = 0;
    let resolveMs = 0;
    let isLeft = false;
    for (const [projectId, changes] of byProject) {
      const updated = await updateEach({ projectId, workspaceId, lease }, changes, this.#parts, signal);
      resolveMs += updated.resolveMs;
      await this.#settle(updated.outcomes);
      settled += updated.outcomes.length;
      isLeft ||= updated.outcomes.length < changes.length;
    }
    if (resolveMs > 0) this.#resolved.set(workspaceId, { ms: resolveMs, nextAt: 0 });
    // Structures of a project that was deleted meanwhile. Those that another process is about to use look the same.
    if ((isLeft || overtaken.size > 0) && (await lease.holds()))
      await this.#parts.graphs.prune(workspaceId, isLeft ? undefined : [...overtaken]);
    overtaken.clear();
    return settled;
  }

  async #settle(outcomes: readonly FileOutcome[]): Promise<void> {
    for (let at = 0; at < outcomes.length; at += SETTLED_AT_ONCE)
      await this.#parts.changes.settle(outcomes.slice(at, at + SETTLED_AT_ONCE));
  }
}

/** Each file once: the second claim has those of the first again, and what became of them since. */
function latestOf(first: readonly QueuedFile[], second: readonly QueuedFile[]): QueuedFile[] {
  const latest = new Map(first.map((file) => [file.id, file]));
  for (const file of second) if (latest.get(file.id)?.revision !== file.revision) latest.set(file.id, file);
  return [...latest.values()];
}

/** Whether more may wait than was claimed. */
function isFull(claimed: readonly QueuedFile[]): boolean {
  const characters = claimed.reduce((sum, { text }) => sum + text.length, 0);
  return claimed.length >= BATCH.limit || characters > BATCH.maxBytes / 4;
}

/** The lease on the graphs of a workspace. */
function takeLease(leases: Leases, workspaceId: string): Promise<Lease | undefined> {
  return leases.take(`graph.index:${workspaceId}`);
}
