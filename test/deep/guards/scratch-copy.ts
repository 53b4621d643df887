import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Parts of a package that it does not need to run. */
const LEFT_OUT = new Set(['bundle', 'node_modules', 'src']);

/** A copy of the build in a temporary folder, which tests may break. */
export interface ScratchCopy {
  readonly folder: string;
  /** Replaces the only `text` of a built file with `by`. Throws unless `text` occurs once. */
  patch(file: string, text: string, by: string): Promise<void>;
  remove(): Promise<void>;
}

export async function scratchCopy(): Promise<ScratchCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'service-mcp-guards-'));
  const ours = ['core', 'test', ...(await within('plugins')), ...(await within('transports'))];
  for (const name of ['package.json', 'deploy'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  for (const part of ours) {
    const filter = (path: string) => dirname(path) !== join(ROOT, part) || !LEFT_OUT.has(basename(path));
    await cp(join(ROOT, part), join(folder, part), { recursive: true, filter });
    await linkAll(join(ROOT, part, 'node_modules'), join(folder, part, 'node_modules'));
  }
  // Everything that is installed, but of our own packages the copies.
  await linkAll(join(ROOT, 'node_modules'), join(folder, 'node_modules'), ['@service-mcp', 'service-mcp']);
  await mkdir(join(folder, 'node_modules/@service-mcp'));
  for (const part of ours) {
    const { name } = JSON.parse(await readFile(join(folder, part, 'package.json'), 'utf8')) as {
      name: string;
    };
    await symlink(join(folder, part), join(folder, 'node_modules', name));
  }

  return {
    folder,
    async patch(file, text, by) {
      const path = join(folder, file);
      const whole = await readFile(path, 'utf8');
      const found = whole.split(text).length - 1;
      if (found !== 1)
        throw new Error(
          `${file} has "${text}" ${found} times, not once: bring the list of guards up to date`,
        );
      await writeFile(
        path,
        whole.replace(text, () => by),
      );
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function within(folder: string): Promise<string[]> {
  const found = await readdir(join(ROOT, folder), { withFileTypes: true });
  return found.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Links to each entry of a folder, where it is there at all. */
async function linkAll(from: string, to: string, but: readonly string[] = []): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  await mkdir(to);
  for (const name of names)
    if (!but.includes(name) && !name.startsWith('.')) await symlink(join(from, name), join(to, name));
}
