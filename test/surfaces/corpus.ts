import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

const NOTES: readonly SourceFile[] = [
  {
    path: 'docs/größe.md',
    content: '# Größe\n\nDie Größe einer Datei wird in Bytes gezählt. 検索エンジンは日本語も読む。\n',
  },
  {
    path: 'docs/retries.md',
    content:
      '# Retries\n\nA failed document waits with exponential back-off and jitter before the queue claims it again.\n',
  },
];

/** About thirty real files: this repository's own core, and two notes that are not ASCII or not code. */
export async function corpus(): Promise<SourceFile[]> {
  const files: SourceFile[] = [...NOTES];
  for (const folder of ['core/src', 'core/src/boot']) {
    const names = (await readdir(join(REPOSITORY, folder))).filter((name) => name.endsWith('.ts')).sort();
    for (const name of names.slice(0, 16)) {
      const path = `${folder}/${name}`;
      files.push({ path, content: await readFile(join(REPOSITORY, path), 'utf8') });
    }
  }
  return files;
}
