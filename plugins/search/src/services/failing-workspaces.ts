/** The pause after a first failure and after a look at a damaged index. Each further failure doubles it. */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 32_000;
/** Workspaces tried in one round: of some, other processes hold the lease, or nothing is due. */
const MAX_TRIED = 32;

interface Tried {
  readonly at: number;
  /** Turns in a row that failed; 0 for a damaged index, whose repair is seen at the next look. */
  readonly failures: number;
}

/** The workspaces whose index is damaged, or whose indexing failed, and when each was tried last. */
export class FailingWorkspaces {
  readonly #tried = new Map<string, Tried>();

  has(workspaceId: string): boolean {
    return this.#tried.has(workspaceId);
  }

  /** Whether the last turn threw: a damaged index that was repaired since has not. */
  hasFailed(workspaceId: string): boolean {
    return (this.#tried.get(workspaceId)?.failures ?? 0) > 0;
  }

  /** Whether it was tried too short a time ago. */
  isResting(workspaceId: string): boolean {
    const tried = this.#tried.get(workspaceId);
    if (!tried) return false;
    const pause = RETRY_MS * 2 ** Math.max(0, tried.failures - 1);
    return performance.now() - tried.at < Math.min(pause, MAX_RETRY_MS);
  }

  noteFailure(workspaceId: string): void {
    const failures = (this.#tried.get(workspaceId)?.failures ?? 0) + 1;
    this.#tried.set(workspaceId, { at: performance.now(), failures });
  }

  noteDamage(workspaceId: string): void {
    this.#tried.set(workspaceId, { at: performance.now(), failures: 0 });
  }

  forget(workspaceId: string): void {
    this.#tried.delete(workspaceId);
  }

  /**
   * The workspaces that a round tries: those that fail have turns of their own, so that they hold no others up, the one that
   * was tried longest ago first.
   */
  tried(waiting: readonly string[]): readonly string[] {
    const triedAt = (workspaceId: string) => this.#tried.get(workspaceId)?.at ?? 0;
    const due = waiting.filter((workspaceId) => this.has(workspaceId) && !this.isResting(workspaceId));
    due.sort((a, b) => triedAt(a) - triedAt(b));
    const others = waiting.filter((workspaceId) => !this.has(workspaceId));
    return [...due.slice(0, MAX_TRIED), ...others.slice(0, MAX_TRIED)];
  }
}
