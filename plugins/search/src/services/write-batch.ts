import type { DocumentOutcome, IndexDocument } from '../contract.js';
import type { ProvidedVectors } from './embedding/provided-vectors.js';
import { failed, NOT_WRITABLE, NOT_WRITTEN, RETRY_MS } from './failed-outcomes.js';
import type { HealthyIndex, IndexCheck } from './index/health.js';
import { isUnwritable } from './index/lance.js';
import type { Prepared } from './prepare.js';

export interface WriteParts {
  readonly check: IndexCheck;
  readonly provided: Pick<ProvidedVectors, 'reuse'>;
}

export interface Written {
  readonly outcomes: readonly DocumentOutcome[];
  readonly rows: number;
}

/** Writes a batch. After a failed write, none of it counts as indexed. */
export async function writeBatch(
  { batches, removed, outcomes }: Prepared,
  { tables, place }: HealthyIndex,
  documents: readonly IndexDocument[],
  { check, provided }: WriteParts,
): Promise<Written> {
  const chunks = outcomes.reduce((sum, outcome) => sum + ('chunks' in outcome ? outcome.chunks : 0), 0);
  const rows = chunks + removed.length;
  try {
    const byId = new Map(documents.map((document) => [document.id, document]));
    const whole = batches.map((batch) =>
      provided.reuse(
        tables,
        batch,
        batch.documentIds.flatMap((id) => byId.get(id) ?? []),
      ),
    );
    await tables.replace(...(await Promise.all(whole)));
    await tables.remove(removed.map(({ id }) => id));
    return { outcomes, rows };
  } catch (error) {
    await check.blame(error, place);
    if (!isUnwritable(error)) return { outcomes: failed(outcomes, NOT_WRITTEN), rows };
    return { outcomes: failed(outcomes, NOT_WRITABLE, { retryAfterMs: RETRY_MS }), rows };
  }
}
