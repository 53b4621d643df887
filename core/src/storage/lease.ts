import { hostname } from 'node:os';
import type { Database } from '../database.js';

/** How long a lease holds without being renewed. */
const LEASE_MS = 15_000;

/** Names this life of this process; the pid lets a neighbour on the same machine see that it is gone. */
export function newProcessId(): string {
  return `${hostname()}/${process.pid}/${crypto.randomUUID()}`;
}

/**
 * Takes or renews the lease `name` for `holder`. True while it is held. A lease is free when it ran out, or
 * at once when its holder was a process of this machine that no longer lives.
 */
async function holdLease(database: Database, name: string, holder: string): Promise<boolean> {
  const now = new Date();
  const expires_at = new Date(now.getTime() + LEASE_MS).toISOString();
  const renewed = await database.sql('leases').where({ name, holder }).update({ expires_at });
  if (renewed > 0) return true;
  const current = await database
    .sql<{ name: string; holder: string; expires_at: string }>('leases')
    .where({ name })
    .first();
  if (!current) {
    await database.sql('leases').insert({ name, holder, expires_at }).onConflict('name').ignore();
  } else if (current.expires_at < now.toISOString() || isDeadNeighbour(current.holder)) {
    await database.sql('leases').where({ name, holder: current.holder }).update({ holder, expires_at });
  } else {
    return false;
  }
  const after = await database.sql<{ name: string; holder: string }>('leases').where({ name }).first();
  return after?.holder === holder;
}

export interface KeptLease {
  /** True while this process holds it; tries to take it otherwise. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

/** Takes a lease when asked and renews it by itself, however long the work under it lasts. */
export function keepLease(database: Database, name: string, holder: string): KeptLease {
  let renewal: NodeJS.Timeout | undefined;
  const lapse = () => {
    clearInterval(renewal);
    renewal = undefined;
  };
  const renew = async () => {
    const held = await holdLease(database, name, holder).catch(() => false);
    if (!held) lapse();
  };
  return {
    async held() {
      if (renewal) return true;
      if (!(await holdLease(database, name, holder))) return false;
      renewal = setInterval(() => void renew(), LEASE_MS / 3);
      renewal.unref();
      return true;
    },
    async release() {
      if (!renewal) return;
      lapse();
      // Left behind on a failing database, the lease runs out by itself.
      await database
        .sql('leases')
        .where({ name, holder })
        .delete()
        .catch(() => 0);
    },
  };
}

/** Ids of this process that are alive: a test may start several hosts in one process. */
export const livingProcessIds = new Set<string>();

function isDeadNeighbour(holder: string): boolean {
  const [host, pid] = holder.split('/');
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return !livingProcessIds.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
