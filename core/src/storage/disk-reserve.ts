/** Space that is given up when the disk of the database is full, so that something can be deleted. */
export interface DiskReserve {
  /** Takes the space, unless it would leave the disk nearly full. */
  fill(): Promise<void>;
  release(): Promise<void>;
}

export const RESERVE_BYTES = 8 * 1024 * 1024;
