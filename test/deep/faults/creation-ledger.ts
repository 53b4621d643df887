import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '../../service-process.js';

/** What writers were told of their creations, over the lives of a service. */
export interface CreationLedger {
  /** Starts writers, each creating one project after another under keys of its own; a failed request is repeated. */
  write(writers: number, service: () => ServiceProcess): { stop(): Promise<void> };
  /** Every name that a writer was told of as created, or as created before a crash. */
  readonly acknowledged: ReadonlySet<string>;
  /** How many were told by CONFLICT with their events. */
  readonly toldByEvents: number;
  /** The longest time from the first answer of a service to the answer of a repeated request, in milliseconds. */
  readonly slowestRepetition: number;
  /** Until so many more are acknowledged. Throws the error of a writer. */
  grow(by: number): Promise<void>;
  /** Counts stored projects against the acknowledged ones. */
  compare(service: ServiceProcess): Promise<{ lost: number; twice: number }>;
}

export function creationLedger(): CreationLedger {
  const acknowledged = new Set<string>();
  let toldByEvents = 0;
  let slowestRepetition = 0;
  let created = 0;
  let failure: Error | undefined;

  /** One creation, repeated with its key until it is answered. */
  async function create(name: string, current: () => ServiceProcess): Promise<void> {
    let isRepeated = false;
    for (;;) {
      const service = current();
      const startedAt = Date.now();
      try {
        await service.call('projects_create', { name }, { headers: { 'idempotency-key': name } });
        if (isRepeated) slowestRepetition = Math.max(slowestRepetition, Date.now() - startedAt);
        acknowledged.add(name);
        return;
      } catch (error) {
        const told = String(error);
        // The second one: the connection went with the answer of the commit, or before the new project was read.
        if (/its response was lost|was carried out in part/.test(told)) {
          toldByEvents += 1;
          acknowledged.add(name);
          return;
        }
        // A service that was killed cannot be reached; one that lost its database says so.
        if (!(error instanceof TypeError) && !told.includes('UNAVAILABLE')) throw error;
        isRepeated = true;
        while (current() === service && service.child.signalCode !== null) await delay(10);
        await delay(20);
      }
    }
  }

  return {
    acknowledged,
    get toldByEvents() {
      return toldByEvents;
    },
    get slowestRepetition() {
      return slowestRepetition;
    },
    write(writers, service) {
      const stopping = new AbortController();
      const all = Array.from({ length: writers }, async () => {
        try {
          while (!stopping.signal.aborted) await create(`project-${created++}`, service);
        } catch (error) {
          failure ??= error as Error; // call throws nothing else
        }
      });
      return {
        async stop() {
          stopping.abort();
          await Promise.all(all);
          if (failure) throw failure;
        },
      };
    },
    async grow(by) {
      const enough = acknowledged.size + by;
      while (acknowledged.size < enough) {
        if (failure) throw failure;
        await delay(5);
      }
    },
    async compare(service) {
      const stored = new Map<string, number>();
      for (let page = 1, more = true; more; page++) {
        const found = await service.call<{ items: Array<{ name: string }>; has_next: boolean }>(
          'projects_list',
          { page, per_page: 100 },
        );
        for (const { name } of found.items) stored.set(name, (stored.get(name) ?? 0) + 1);
        more = found.has_next;
      }
      return {
        lost: [...acknowledged].filter((name) => !stored.has(name)).length,
        twice: [...stored.values()].filter((times) => times > 1).length,
      };
    },
  };
}
