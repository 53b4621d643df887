import type { WireFile } from './read.js';

/** A batch holds at most this many files (the limit of `files_ingest`). */
const BATCH_FILES = 500;
/** And this much JSON, half of what the service takes in one body, so that a batch is quick to answer. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Collects files into batches within both limits; a file larger than a batch goes alone. */
export class Batcher {
  readonly #most: { readonly files: number; readonly bytes: number };
  #files: WireFile[] = [];
  #bytes = 0;

  constructor(most = { files: BATCH_FILES, bytes: BATCH_BYTES }) {
    this.#most = most;
  }

  /** Adds a file; gives the batch before it where that is full now. */
  add(file: WireFile): readonly WireFile[] | undefined {
    const bytes = wireBytes(file);
    const full = this.#files.length >= this.#most.files || this.#bytes + bytes > this.#most.bytes;
    const done = full ? this.flush() : undefined;
    this.#files.push(file);
    this.#bytes += bytes;
    return done;
  }

  /** Gives what is left, once. */
  flush(): readonly WireFile[] | undefined {
    if (this.#files.length === 0) return undefined;
    const done = this.#files;
    this.#files = [];
    this.#bytes = 0;
    return done;
  }
}

/** The size of a file inside a JSON body: escapes make text grow up to six times. */
export function wireBytes(file: WireFile): number {
  return Buffer.byteLength(JSON.stringify(file)) + 1;
}
