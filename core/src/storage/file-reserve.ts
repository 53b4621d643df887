import { rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RESERVE_BYTES, type DiskReserve } from './disk-reserve.js';

const MIN_FREE_BYTES = 5 * RESERVE_BYTES;
const PART_BYTES = 256 * 1024;

/** A file beside the embedded database. */
export class FileReserve implements DiskReserve {
  readonly #path: string;

  constructor(database: string) {
    this.#path = `${database}.reserve`;
  }

  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.#path));
    if (bavail * bsize < MIN_FREE_BYTES) return;
    await writeFile(this.#path, parts(), { flag: 'wx', mode: 0o600 }).catch(
      async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') await this.release(); // a partial file is of no use
      },
    );
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** One buffer again and again: to make one of the whole size takes longer than to write it. */
function* parts(): Generator<Uint8Array> {
  const part = new Uint8Array(PART_BYTES);
  for (let written = 0; written < RESERVE_BYTES; written += PART_BYTES) yield part;
}
