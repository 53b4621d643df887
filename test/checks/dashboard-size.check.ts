import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './repository.js';

const PACKAGE = join(ROOT, 'transports/web');
const MAX_BYTES = 200 * 1024;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

describe('the dashboard: bytes of the first load of each page', () => {
  let manifest: Readonly<Record<string, Chunk>>;
  before(() => {
    execFileSync(process.execPath, [join(PACKAGE, 'client/build.mjs')]); // takes no time where it is built
    const text = readFileSync(join(PACKAGE, 'assets/.vite/manifest.json'), 'utf8');
    manifest = JSON.parse(text) as Readonly<Record<string, Chunk>>;
  });

  /** Files of a chunk and of all that it imports. */
  function filesOf(name: string, files = new Set<string>()): Set<string> {
    const { file, imports = [], css = [] } = manifest[name] as Chunk; // names come from the manifest
    if (files.has(file)) return files;
    for (const each of [file, ...css]) files.add(each);
    for (const each of imports) filesOf(each, files);
    return files;
  }

  it(`is at most ${MAX_BYTES / 1024} KB with gzip`, () => {
    const named = Object.keys(manifest);
    const entries = named.filter((name) => manifest[name]?.isEntry);
    const pages = named.filter((name) => manifest[name]?.isDynamicEntry && name.startsWith('src/pages/'));
    assert.ok(entries.length === 1 && pages.length > 0, 'the manifest has no entry or no pages');
    for (const page of pages) {
      const files = new Set([...entries, page].flatMap((name) => [...filesOf(name)]));
      const sizes = [...files].map((file) => gzipSync(readFileSync(join(PACKAGE, 'assets', file))).length);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(total <= MAX_BYTES, `${page}: ${total} bytes in ${[...files].join(', ')}`);
    }
  });
});
