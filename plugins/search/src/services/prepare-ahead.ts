import type { IndexDocument } from '../contract.js';
import type { Prepared } from './prepare.js';

/** Documents that are written together. */
export interface PreparedAhead {
  readonly batch: readonly IndexDocument[];
  readonly prepared: Prepared;
}

/**
 * Prepares batches of `next`, which ends with an empty one, and gives them in its order. `atOnce` of them are being prepared
 * while the caller waits for the first of them, one less while it writes that. The first failure ends it.
 */
export async function* prepareAhead(
  next: () => readonly IndexDocument[],
  prepare: (batch: readonly IndexDocument[]) => Promise<Prepared>,
  atOnce: number,
): AsyncGenerator<PreparedAhead> {
  const ahead: { readonly batch: readonly IndexDocument[]; readonly prepared: Promise<Prepared> }[] = [];
  for (;;) {
    while (ahead.length < atOnce) {
      const batch = next();
      if (batch.length === 0) break;
      const prepared = prepare(batch);
      prepared.catch(() => undefined); // awaited in its turn, unless the caller ends before
      ahead.push({ batch, prepared });
    }
    const first = ahead.shift();
    if (!first) return;
    yield { batch: first.batch, prepared: await first.prepared };
  }
}
