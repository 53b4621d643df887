import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceFile } from './corpus.js';

const COMPOUND = /\b[A-Za-z]+(?:[A-Z_]\w*)\b/g;

/**
 * Writes files to a folder until it holds so many bytes: all of them, then all again with other compound identifiers, in
 * a folder of their own. Gives what was written.
 */
export async function writeLargeTree(
  folder: string,
  files: readonly SourceFile[],
  bytes: number,
): Promise<SourceFile[]> {
  const written: SourceFile[] = [];
  let size = 0;
  for (let copy = 0; size < bytes; copy++) {
    for (const { path, from } of files) {
      if (size >= bytes) break;
      const text = await readFile(from, 'utf8');
      const own = copy === 0 ? text : text.replaceAll(COMPOUND, (name) => `${name}V${String(copy)}`);
      const target = copy === 0 ? path : `copy-${String(copy)}/${path}`;
      await mkdir(dirname(join(folder, target)), { recursive: true });
      await writeFile(join(folder, target), own);
      written.push({ path: target, from: join(folder, target), bytes: Buffer.byteLength(own) });
      size += Buffer.byteLength(own);
    }
  }
  return written;
}
