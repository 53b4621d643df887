import {
  newSession,
  principalOf,
  unknownSession,
  type Session,
  type SessionLimits,
  type Sessions,
} from '../sessions.js';

interface Kept {
  readonly session: Session;
  readonly principal: string;
  readonly usedAt: number;
}

/** Sessions of all callers together, a few hundred bytes each. */
const MAX_SESSIONS = 20_000;

/** Sessions of a gateway, which stores nothing: they end with the process, and clients open new ones. */
export function sessionsInMemory(
  { perCaller, idleMs }: SessionLimits,
  now: () => number = Date.now,
): Sessions {
  const kept = new Map<string, Kept>(); // in order of last use
  const counts = new Map<string, number>(); // of each principal

  const drop = (id: string): void => {
    const found = kept.get(id);
    if (!found) return;
    kept.delete(id);
    const left = (counts.get(found.principal) ?? 0) - 1;
    if (left > 0) counts.set(found.principal, left);
    else counts.delete(found.principal);
  };
  const use = (session: Session, principal: string): Session => {
    drop(session.id);
    kept.set(session.id, { session, principal, usedAt: now() });
    counts.set(principal, (counts.get(principal) ?? 0) + 1);
    return session;
  };
  const oldestOf = (principal: string): string | undefined => {
    for (const [id, row] of kept) if (row.principal === principal) return id;
    return undefined;
  };
  const prune = (principal: string): void => {
    for (const [id, { usedAt }] of kept) {
      if (now() - usedAt <= idleMs) break;
      drop(id);
    }
    if ((counts.get(principal) ?? 0) > perCaller) drop(oldestOf(principal) ?? '');
    // The caller with the most sessions loses its oldest, so that no caller can crowd out the others.
    if (kept.size > MAX_SESSIONS) {
      const [most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
      drop(oldestOf(most) ?? '');
    }
  };
  const find = (id: string, principal: string): Session => {
    const row = kept.get(id);
    if (row?.principal === principal && now() - row.usedAt <= idleMs) return row.session;
    throw unknownSession();
  };

  return {
    async open(caller, start) {
      const principal = principalOf(caller);
      const session = use(newSession(start), principal);
      prune(principal);
      return session;
    },
    async get(id, caller) {
      const principal = principalOf(caller);
      return use(find(id, principal), principal);
    },
    async change(id, caller, amend) {
      const principal = principalOf(caller);
      const before = find(id, principal);
      return use({ ...before, ...amend(before) }, principal);
    },
    async close(id, caller) {
      find(id, principalOf(caller));
      drop(id);
    },
    async count() {
      return kept.size;
    },
  };
}
