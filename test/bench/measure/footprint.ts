import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a service took while it was watched: bytes of its folder, and resident bytes of all its processes together. */
export interface Footprint {
  readonly peakDisk: number;
  readonly disk: number;
  readonly peakMemory: number;
  readonly memory: number;
}

const INTERVAL_MS = 500;

/** Watches the data folder and the processes of a service until `stop`. Memory is 0 where the system has no /proc. */
export function watchFootprint(
  folder: string,
  pid: number,
): { stop(): Promise<Footprint>; now(): Footprint } {
  let last: Footprint = { peakDisk: 0, disk: 0, peakMemory: 0, memory: 0 };
  const end = new AbortController();
  const look = async (): Promise<void> => {
    const [disk, memory] = await Promise.all([bytesOf(folder), residentBytes(pid)]);
    last = {
      disk,
      memory,
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
    now: () => last,
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
async function residentBytes(pid: number): Promise<number> {
  const task = `/proc/${String(pid)}`;
  const status = await readFile(`${task}/status`, 'utf8').catch(() => '');
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  const children = await readFile(`${task}/task/${String(pid)}/children`, 'utf8').catch(() => '');
  const pids = children.split(' ').filter(Boolean).map(Number);
  const below = await Promise.all(pids.map(residentBytes));
  return below.reduce((sum, bytes) => sum + bytes, own);
}
