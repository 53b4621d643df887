import { rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RESERVE_BYTES, type DiskReserve } from './disk-reserve.js';

const MIN_FREE_BYTES = 5 * RESERVE_BYTES;

/** A file beside the embedded database. */
export class FileReserve implements DiskReserve {
  readonly #path: string;

  constructor(database: string) {
    this.#path = `${database}.reserve`;
  }

  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.#path));
    if (bavail * bsize < MIN_FREE_BYTES) return;
    await writeFile(this.#path, Buffer.alloc(RESERVE_BYTES), { flag: 'wx', mode: 0o600 }).catch(
      async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') await this.release(); // a partial file is of no use
      },
    );
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
