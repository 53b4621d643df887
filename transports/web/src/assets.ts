import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Asset } from '@service-mcp/core/http';

/** `npm run build` writes it; the package is published with it. */
const FOLDER = new URL('../assets/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Every built file by its path below /app/, compressed by the build; immutable where its name has a digest. Empty where
 * the dashboard was not built.
 */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(FOLDER, { recursive: true }).catch(() => []);
  const all = new Set(names.map((name) => name.replaceAll('\\', '/')));
  const loaded = [...all].flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [loadAsset(name, type, all)];
  });
  return new Map(await Promise.all(loaded));
}

async function loadAsset(name: string, type: string, all: ReadonlySet<string>): Promise<[string, Asset]> {
  const read = (path: string) => (all.has(path) ? readFile(new URL(path, FOLDER)) : undefined);
  const [bytes, br, gzip] = await Promise.all([
    readFile(new URL(name, FOLDER)),
    read(`${name}.br`),
    read(`${name}.gz`),
  ]);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return [name, { type, bytes, encoded: { br, gzip }, etag, immutable: name.startsWith('assets/') }];
}
