/** How often a workspace whose indexing fails is tried again. */
const RETRY_MS = 1000;
/** Workspaces tried in one round: of some, other processes hold the lease, or nothing is due. */
const MAX_TRIED = 32;

/** The workspaces whose index is damaged, or whose indexing failed, and when each was tried last. */
export class FailingWorkspaces {
  readonly #triedAt = new Map<string, number>();

  has(workspaceId: string): boolean {
    return this.#triedAt.has(workspaceId);
  }

  /** Whether it was tried a moment ago. */
  isResting(workspaceId: string): boolean {
    return performance.now() - (this.#triedAt.get(workspaceId) ?? -Infinity) < RETRY_MS;
  }

  note(workspaceId: string): void {
    this.#triedAt.set(workspaceId, performance.now());
  }

  forget(workspaceId: string): void {
    this.#triedAt.delete(workspaceId);
  }

  /**
   * The workspaces that a round tries: those that fail have turns of their own, so that they hold no others up, the one that
   * was tried longest ago first.
   */
  tried(waiting: readonly string[]): readonly string[] {
    const triedAt = (workspaceId: string) => this.#triedAt.get(workspaceId) ?? 0;
    const due = waiting.filter((workspaceId) => this.has(workspaceId) && !this.isResting(workspaceId));
    due.sort((a, b) => triedAt(a) - triedAt(b));
    const others = waiting.filter((workspaceId) => !this.has(workspaceId));
    return [...due.slice(0, MAX_TRIED), ...others.slice(0, MAX_TRIED)];
  }
}
