import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Database } from '../database.js';
import type { Lease, Leases } from '../services.js';

/** How long a lease holds without being renewed. */
export const LEASE_MS = 15_000;

/**
 * Where a pid names one process: this machine, or the container in it. Several may have one host name; the boot tells
 * machines apart, whose namespaces have the same numbers.
 */
const MACHINE = [
  hostname(),
  ...ifThere(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  ...ifThere(() => readlinkSync('/proc/self/ns/pid')),
].join(' ');

function ifThere(read: () => string): string[] {
  try {
    return [read()];
  } catch {
    return []; // not Linux
  }
}

/** Names this life of a process of this machine; the pid lets a neighbour see that it is gone. */
export function newProcessId(pid = process.pid): string {
  return `${MACHINE}/${pid}/${crypto.randomUUID()}`;
}

const expiry = () => new Date(Date.now() + LEASE_MS).toISOString();

/**
 * Takes or renews the lease `name` for `holder`. True while it is held. A lease is free when it ran out, or
 * at once when its holder was a process of this machine that no longer lives.
 */
async function holdLease(database: Database, name: string, holder: string): Promise<boolean> {
  const expires_at = expiry();
  const renewed = await database.sql('leases').where({ name, holder }).update({ expires_at });
  if (renewed > 0) return true;
  const current = await database
    .sql<{ name: string; holder: string; expires_at: string }>('leases')
    .where({ name })
    .first();
  if (!current) {
    await database.sql('leases').insert({ name, holder, expires_at }).onConflict('name').ignore();
  } else if (current.expires_at < new Date().toISOString() || isDeadNeighbour(current.holder)) {
    await database.sql('leases').where({ name, holder: current.holder }).update({ holder, expires_at });
  } else {
    return false;
  }
  const after = await database.sql<{ name: string; holder: string }>('leases').where({ name }).first();
  return after?.holder === holder;
}

/** See {@link Leases}. One timer renews all leases of the process. */
export function createLeases(database: Database, holder: string): Leases & { close(): Promise<void> } {
  const held = new Set<string>();
  let renewal: NodeJS.Timeout | undefined;
  const rows = () => database.sql('leases').where({ holder });
  const renew = () =>
    rows()
      .update({ expires_at: expiry() })
      .catch(() => 0); // a holder asks before it writes
  const drop = (name: string) => {
    held.delete(name);
    if (held.size > 0) return;
    clearInterval(renewal);
    renewal = undefined;
  };

  function leaseOf(name: string): Lease {
    const release = async () => {
      if (!held.has(name)) return;
      // Left behind on a failing database, the lease runs out by itself.
      await rows()
        .where({ name })
        .delete()
        .catch(() => 0);
      drop(name);
    };
    return {
      holds: async () =>
        held.has(name) && (await rows().where({ name }).update({ expires_at: expiry() })) > 0,
      release,
      [Symbol.asyncDispose]: release,
    };
  }

  return {
    async take(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      const taken = await holdLease(database, name, holder).catch((error: unknown) => {
        drop(name);
        throw error;
      });
      if (!taken) {
        drop(name);
        return undefined;
      }
      renewal ??= setInterval(() => void renew(), LEASE_MS / 3).unref();
      return leaseOf(name);
    },
    async close() {
      clearInterval(renewal);
      // As at a release: a stop does not fail with the database.
      if (held.size > 0)
        await rows()
          .delete()
          .catch(() => 0);
    },
  };
}

/** Ids of this process that are alive: a test may start several hosts in one process. */
export const livingProcessIds = new Set<string>();

/** Was this a process of this machine that no longer lives? */
export function isDeadNeighbour(holder: string): boolean {
  const [machine, pid] = holder.split('/');
  if (machine !== MACHINE) return false;
  if (Number(pid) === process.pid) return !livingProcessIds.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
