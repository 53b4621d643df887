import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Asset } from '@service-mcp/core/http';

/** One static file of the API page, held in memory. */
export interface DocsFile extends Pick<Asset, 'bytes' | 'type' | 'encoded'> {
  /** Of the content: the page asks for `name?v=digest`, so a new version is a new address. */
  readonly digest: string;
}

const ASSETS = new URL('../../assets/', import.meta.url);
const SWAGGER = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'));

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Everything that is served under /docs/: a fixed list, so no name ever becomes a path on disk. */
const SOURCES: Readonly<Record<string, { readonly from: URL; readonly type: string }>> = {
  'favicon-32x32.png': { from: SWAGGER, type: 'image/png' },
  'page.css': { from: ASSETS, type: STYLE },
  'page.js': { from: ASSETS, type: SCRIPT },
  'swagger-ui-bundle.js': { from: SWAGGER, type: SCRIPT },
  'swagger-ui.css': { from: SWAGGER, type: STYLE },
};

const read = new Map<string, Promise<DocsFile>>();

/** The file of that name, read on first use; undefined for a name that is not in the list. */
export function docsFile(name: string): Promise<DocsFile> | undefined {
  if (!Object.hasOwn(SOURCES, name)) return undefined;
  let file = read.get(name);
  if (!file) {
    file = readDocsFile(name);
    read.set(name, file);
    file.catch(() => read.delete(name));
  }
  return file;
}

async function readDocsFile(name: string): Promise<DocsFile> {
  const { from, type } = SOURCES[name] as { from: URL; type: string }; // docsFile checked the name
  const bytes = await readFile(fileURLToPath(new URL(name, from)));
  const packed = type.startsWith('text/') ? await promisify(gzip)(bytes) : bytes;
  return {
    bytes,
    type,
    ...(packed.length < bytes.length && { encoded: { br: undefined, gzip: packed } }),
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 16),
  };
}
