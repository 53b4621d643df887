import { ServiceError } from '../errors.js';

/** The revisions of MCP that open with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The version that answers `initialize`: the one asked for where it is known, else the newest. */
export function negotiateVersion(requested: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === requested) ?? HANDSHAKE_VERSIONS[0];
}

/** What is kept of an MCP session: no server, no stream, so that thousands cost little. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly protocolVersion: string;
}

/** The sessions that `initialize` opens. A later store may keep them in the database behind the same three methods. */
export interface Sessions {
  open(userId: string, protocolVersion: string): Promise<Session>;
  /** Throws UNKNOWN_SESSION where there is none, it was idle too long, or it belongs to another principal. */
  get(id: string, userId: string): Promise<Session>;
  close(id: string, userId: string): Promise<void>;
}

/**
 * Sessions of this process. Beyond `limit`, who has the most gives way with the one that was idle longest, so that
 * nobody can crowd out the others; after `idleMs` each one ends.
 */
export function sessionsInMemory(options: { limit: number; idleMs: number; now?: () => number }): Sessions {
  const { limit, idleMs, now = Date.now } = options;
  const rows = new Map<string, Session & { usedAt: number }>(); // in order of last use
  const counts = new Map<string, number>(); // of each user
  const drop = ({ id, userId }: Session): void => {
    rows.delete(id);
    const left = (counts.get(userId) ?? 0) - 1;
    if (left > 0) counts.set(userId, left);
    else counts.delete(userId);
  };
  const crowded = (): Session | undefined => {
    let most = 0;
    for (const count of counts.values()) most = Math.max(most, count);
    for (const row of rows.values()) if (counts.get(row.userId) === most) return row;
    return undefined;
  };
  const prune = (): void => {
    for (const row of rows.values()) {
      if (now() - row.usedAt <= idleMs) break;
      drop(row);
    }
    for (let row; rows.size > limit && (row = crowded());) drop(row);
  };
  const find = (id: string, userId: string) => {
    const row = rows.get(id);
    if (row && row.userId === userId && now() - row.usedAt <= idleMs) return row;
    throw new ServiceError(
      'UNKNOWN_SESSION',
      'This session is unknown or has ended: send initialize again for a new one.',
    );
  };
  return {
    async open(userId, protocolVersion) {
      const row = { id: crypto.randomUUID(), userId, protocolVersion, usedAt: now() };
      rows.set(row.id, row);
      counts.set(userId, (counts.get(userId) ?? 0) + 1);
      prune();
      return row;
    },
    async get(id, userId) {
      const row = find(id, userId);
      row.usedAt = now();
      rows.delete(id);
      rows.set(id, row);
      return row;
    },
    async close(id, userId) {
      drop(find(id, userId));
    },
  };
}
