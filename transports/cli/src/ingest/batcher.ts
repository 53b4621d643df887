import type { SentFile } from './read-files.js';

/** A batch holds at most this many files (the limit of `files_ingest`). */
const MAX_FILES = 500;
/** And this much JSON, half of what the service takes in one body, so that a batch is answered quickly. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Collects files into batches within both limits; a file larger than a batch goes alone. */
export class Batcher {
  readonly #limits: { readonly files: number; readonly bytes: number };
  #files: SentFile[] = [];
  #bytes = 0;

  constructor(limits = { files: MAX_FILES, bytes: MAX_BYTES }) {
    this.#limits = limits;
  }

  /** Adds a file; returns the batch before it where that is full. */
  add(file: SentFile): readonly SentFile[] | undefined {
    const bytes = jsonBytes(file);
    const full = this.#files.length >= this.#limits.files || this.#bytes + bytes > this.#limits.bytes;
    const batch = full ? this.flush() : undefined;
    this.#files.push(file);
    this.#bytes += bytes;
    return batch;
  }

  /** Returns the remaining files, once. */
  flush(): readonly SentFile[] | undefined {
    if (this.#files.length === 0) return undefined;
    const batch = this.#files;
    this.#files = [];
    this.#bytes = 0;
    return batch;
  }
}

/** The size of a file inside a JSON body: escapes make text up to six times longer. */
export function jsonBytes(file: SentFile): number {
  return Buffer.byteLength(JSON.stringify(file)) + 1;
}
