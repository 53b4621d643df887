import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder holding these files; removed by `remove`. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<{
  path: string;
  write(name: string, content: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'service-mcp-cli-'));
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return { path, write, remove: () => rm(path, { recursive: true, force: true }) };
}
