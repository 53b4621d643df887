import { LRUCache } from 'lru-cache';
import type { DocumentState } from '../../contract.js';
import type { IndexTables } from '../index/index-tables.js';
import { sha256In } from '../index/place.js';
import { rowsById } from '../index/rows-by-id.js';
import { PAGE_COLUMNS, type PageRow } from '../index/tables.js';
import type { CurrentStates } from './current-states.js';
import type { Candidate } from './retrievers.js';

/** A candidate with what its result shows. */
export interface Hydrated extends Candidate {
  readonly row: PageRow;
}

/** UTF-16 code units of all rows: a byte each, for most source code. */
const MAX_UNITS = 16 * 1024 * 1024;
/** What a row takes beside its texts. */
const ROW_UNITS = 300;

/**
 * The rows of chunks that searches read last: LanceDB takes 5 ms of processor for thirty of them by their ids, a quarter of a
 * hybrid search. The id of a chunk follows from its document, its number and its text; its place and names hold as long as
 * the text of the document and its language do.
 */
export class RowCache {
  readonly #rows = new LRUCache<string, PageRow>({
    maxSize: MAX_UNITS,
    sizeCalculation: ({ text, place, title }) => text.length + place.length + title.length + ROW_UNITS,
  });

  /** `state`: of the document now; undefined where it is deleted. */
  read(id: string, state: Pick<DocumentState, 'sha256' | 'language'> | undefined): PageRow | undefined {
    const row = this.#rows.get(id);
    const isCurrent = row && sha256In(row.place) === state?.sha256 && row.lang === (state.language ?? '');
    return isCurrent ? row : undefined;
  }

  keep(row: PageRow): void {
    this.#rows.set(row.id, row);
  }
}

interface Parts {
  readonly tables: IndexTables;
  readonly timeoutMs: number;
  readonly states: CurrentStates;
  readonly cache: RowCache;
}

/** The rows of chunks that a search has read: each is read once. */
export class KnownRows {
  readonly #parts: Parts;
  readonly #rows = new Map<string, PageRow>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The candidates with their rows, in order. Chunks that were replaced meanwhile are left out. */
  async of(candidates: readonly Candidate[]): Promise<Hydrated[]> {
    for (const { id, row } of candidates) if (row) this.#rows.set(id, row);
    await this.#read(candidates.filter(({ id }) => !this.#rows.has(id)));
    return candidates.flatMap((candidate) => {
      const row = this.#rows.get(candidate.id);
      return row ? [{ ...candidate, row }] : [];
    });
  }

  async #read(candidates: readonly Candidate[]): Promise<void> {
    if (candidates.length === 0) return;
    const { tables, timeoutMs, states, cache } = this.#parts;
    const current = await states.of(candidates);
    const missing: string[] = [];
    for (const { id, doc_id } of candidates) {
      const row = cache.read(id, current.get(doc_id));
      if (row) this.#rows.set(id, row);
      else missing.push(id);
    }
    if (missing.length === 0) return;
    const read = await rowsById<PageRow>(missing, { table: tables.chunks, columns: PAGE_COLUMNS, timeoutMs });
    for (const [id, row] of read) {
      this.#rows.set(id, row);
      cache.keep(row);
    }
  }
}
