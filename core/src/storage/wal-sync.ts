import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { fileGone, identityOf } from './file-identity.js';

/**
 * Brings the write-ahead log of a SQLite database to its disk in a thread of the pool, where `synchronous = FULL` has the
 * whole process wait, and the writers of others too. Commits that end while one sync runs share the next. ADR 105.
 */
export class WalSync {
  readonly #file: string;
  #open: { readonly descriptor: number; readonly identity: string } | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `file`: the database. */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Resolves when everything that was committed before survives a power cut. Throws the error of the disk, and of a database
   * that is not there any longer.
   */
  flush(): Promise<void> {
    return (this.#next ??= this.#after(this.#running));
  }

  /** Closes the log, after what is in progress. */
  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#running.catch(() => undefined);
    if (this.#open) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  async #after(running: Promise<void>): Promise<void> {
    await running.catch(() => undefined); // its error is that of its own commits
    this.#next = undefined;
    this.#running = this.#sync();
    return this.#running;
  }

  async #sync(): Promise<void> {
    const descriptor = this.#descriptor();
    if (descriptor !== undefined) await promisify(fdatasync)(descriptor);
  }

  /** The open log; undefined after SQLite has brought it into the database and removed it. */
  #descriptor(): number | undefined {
    const path = `${this.#file}-wal`;
    const identity = identityOf(path);
    if (identity === undefined) {
      if (identityOf(this.#file) === undefined) throw fileGone(this.#file);
      return undefined;
    }
    if (this.#open?.identity === identity) return this.#open.descriptor;
    if (this.#open) closeSync(this.#open.descriptor);
    this.#open = undefined;
    const descriptor = openSync(path, 'r+');
    this.#open = { descriptor, identity };
    syncFolder(dirname(path));
    return descriptor;
  }
}

/** A new file is in its folder after a power cut only where that is brought to the disk too. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return; // has no such call
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
