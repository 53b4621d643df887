import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBinary } from '../../command.js';
import { smallDisk, type SmallDisk } from '../support/small-disk.js';

const DISK_MIB = 1;

describe('fault: the disk takes no writes before anything runs (mounts a small tmpfs: Linux, root)', () => {
  let disk: SmallDisk;
  beforeEach(async () => {
    disk = await smallDisk(DISK_MIB);
  });
  afterEach(() => disk.remove());

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runBinary(args);
    return { code, text: `${stdout}${stderr}`.replaceAll(/\s+/g, ' ') };
  };
  const mount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, disk.path]);

  it('is mounted read-only: serve and migrate say to mount it writable', async () => {
    mount('ro');
    for (const command of ['serve', 'migrate']) {
      const { code, text } = await run(command, '--data', disk.path);
      assert.equal(code, 1, command);
      assert.match(text, /the file system is read-only, EROFS\) → Mount its file system writable, or choose/);
    }
  });

  it('is full: a migration keeps nothing and says to free space, and so does what writes a file', async () => {
    const { code, text } = await run('migrate', '--data', join(disk.path, 'data'));
    assert.equal(code, 1);
    assert.match(text, /migration \S+: it failed and was rolled back: The disk of the database is full/);
    assert.match(text, /→ Nothing of this step was kept\. Free space on that disk/);
    assert.doesNotMatch(text, /author of the plugin/);

    await disk.fill();
    const data = await mkdtemp(join(tmpdir(), 'service-mcp-'));
    try {
      assert.equal((await run('migrate', '--data', data)).code, 0);
      assert.equal((await run('call', '--data', data, 'workspaces_create', '--name', 'w')).code, 0);
      const written = await run('export', '--data', data, '--out', join(disk.path, 'all.ndjson'));
      assert.equal(written.code, 1);
      assert.match(
        written.text,
        /the disk is full, ENOSPC\)\. → Free space on its disk, or name a file elsewhere, with --out\./,
      );
    } finally {
      await rm(data, { recursive: true });
    }
    assert.deepEqual((await readdir(disk.path)).toSorted(), ['data', 'filler']);
  });
});
