import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in memory. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all space that is free now. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a tmpfs of so many MiB. Throws where that is not possible. */
export async function smallDisk(mebibytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (cause) {
    await rm(path, { recursive: true });
    throw new Error('This test mounts a small tmpfs: run it on Linux as root, with CAP_SYS_ADMIN.', {
      cause,
    });
  }
  await chmod(path, 0o755); // run by root, PostgreSQL runs as another user that must pass through
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      const { bavail, bsize } = await statfs(path);
      // What others take meanwhile makes it stop early, with the disk full all the same.
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      execFileSync('umount', ['-l', path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}
