import type { IndexDocument } from '../contract.js';
import type { Prepared } from './prepare.js';
import type { Written } from './write-batch.js';

/**
 * So much text is one write. Each leaves a version and a fragment in every table, and the next ones look for their
 * documents in all of them: a write for each batch costs more than what it writes.
 */
const WRITE_BYTES = 2 * 1024 * 1024;

/** Batches of documents that are prepared, and written together. One write runs at a time, beside the preparation of the next. */
export class GatheredWrites {
  /** Those that were begun. */
  readonly writes: Promise<Written>[] = [];
  readonly #write: (prepared: Prepared, documents: readonly IndexDocument[]) => Promise<Written>;
  readonly #mayWrite: () => Promise<boolean>;
  readonly #documents = new Map<string, IndexDocument>();
  #prepared: Prepared[] = [];
  #bytes = 0;

  /** `mayWrite` is asked before each write. */
  constructor(
    write: (prepared: Prepared, documents: readonly IndexDocument[]) => Promise<Written>,
    mayWrite: () => Promise<boolean>,
  ) {
    this.#write = write;
    this.#mayWrite = mayWrite;
  }

  /** Adds a batch, and begins a write where there is enough. False where none may be written. */
  async add(prepared: Prepared, documents: readonly IndexDocument[]): Promise<boolean> {
    // One write has a document once.
    if (documents.some(({ id }) => this.#documents.has(id)) && !(await this.#flush())) return false;
    this.#prepared.push(prepared);
    for (const document of documents) {
      this.#documents.set(document.id, document);
      this.#bytes += document.text.length;
    }
    return this.#bytes < WRITE_BYTES || this.#flush();
  }

  /** Writes what there is, and resolves when it is written. */
  async written(): Promise<void> {
    await this.#flush();
    await this.writes.at(-1);
  }

  /** Begins to write what there is, behind the write before it. False where it may not be written; then it is forgotten. */
  async #flush(): Promise<boolean> {
    const documents = [...this.#documents.values()];
    const prepared = this.#prepared;
    this.#documents.clear();
    this.#prepared = [];
    this.#bytes = 0;
    if (prepared.length === 0) return true;
    await this.writes.at(-1);
    if (!(await this.#mayWrite())) return false;
    const writing = this.#write(together(prepared), documents);
    writing.catch(() => undefined); // awaited before the next, or by who settles
    this.writes.push(writing);
    return true;
  }
}

function together(prepared: readonly Prepared[]): Prepared {
  return {
    batches: prepared.flatMap(({ batches }) => batches),
    removed: prepared.flatMap(({ removed }) => removed),
    outcomes: prepared.flatMap(({ outcomes }) => outcomes),
  };
}
