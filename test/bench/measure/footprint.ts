import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a service took while it was watched: bytes of its folder, and resident bytes of all its processes together. A page
 * that several of them share counts once (the proportional set size of Linux).
 */
export interface Footprint {
  readonly peakDisk: number;
  readonly disk: number;
  readonly peakMemory: number;
  readonly memory: number;
  readonly processes: number;
}

const INTERVAL_MS = 500;
/** How often, and for how long, a service is looked at until it rests. */
const REST_INTERVAL_MS = 15_000;
const REST_LIMIT_MS = 180_000;

/** Watches the data folder and the processes of a service until `stop`. Memory is 0 where the system has no /proc. */
export function watchFootprint(
  folder: string,
  pid: number,
): { stop(): Promise<Footprint>; atRest(): Promise<Footprint> } {
  let last: Footprint = { peakDisk: 0, disk: 0, peakMemory: 0, memory: 0, processes: 1 };
  const end = new AbortController();
  const look = async (): Promise<void> => {
    const [disk, resident] = await Promise.all([bytesOf(folder), residentBytes(pid)]);
    const memory = resident.reduce((sum, bytes) => sum + bytes, 0);
    last = {
      disk,
      memory,
      processes: resident.length,
      peakDisk: Math.max(last.peakDisk, disk),
      peakMemory: Math.max(last.peakMemory, memory),
    };
  };
  const watching = (async () => {
    while (!end.signal.aborted) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    }
  })();
  return {
    /** Resolves when the folder keeps its size and the child process has ended, or after three minutes. */
    async atRest() {
      const seen = new Set<number>();
      for (const until = Date.now() + REST_LIMIT_MS; Date.now() < until; seen.add(last.disk)) {
        await new Promise((resolve) => setTimeout(resolve, REST_INTERVAL_MS));
        if (seen.has(last.disk) && last.processes === 1) break;
      }
      return last;
    },
    async stop() {
      end.abort();
      await watching;
      return last;
    },
  };
}

/** Files that vanish meanwhile count nothing. */
async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Of a process and its descendants. */
async function residentBytes(pid: number): Promise<number[]> {
  const task = `/proc/${String(pid)}`;
  const status = await readFile(`${task}/smaps_rollup`, 'utf8').catch(() => '');
  const own = Number(/^Pss:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  const children = await readFile(`${task}/task/${String(pid)}/children`, 'utf8').catch(() => '');
  const pids = children.split(' ').filter(Boolean).map(Number);
  const below = await Promise.all(pids.map(residentBytes));
  return [own, ...below.flat()];
}
