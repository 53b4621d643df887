// Builds the pages of the dashboard with Vite, and compresses them once. Takes no time where nothing has changed.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const CLIENT = dirname(fileURLToPath(import.meta.url));
const PACKAGE = dirname(CLIENT);
const ASSETS = join(PACKAGE, 'assets');
const STAMP = join(ASSETS, '.inputs');
/** The look that the pages of the server share. */
const STYLES = dirname(fileURLToPath(import.meta.resolve('@service-mcp/core/styles/tokens.css')));
const COMPRESSED = new Set(['.css', '.js', '.svg']);

/** Builds where an input differs from those of the last build. */
export async function buildDashboard() {
  const inputs = digestOf([
    ...filesIn(CLIENT, (path) => !path.startsWith('dist') && !path.endsWith('.tsbuildinfo')),
    ...filesIn(STYLES, () => true),
    join(PACKAGE, 'package.json'),
    fileURLToPath(import.meta.resolve('@service-mcp/transport-mcp/client-settings')),
  ]);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return;
  const { build } = await import('vite');
  await build({ configFile: join(CLIENT, 'vite.config.ts'), logLevel: 'error' });
  copyFileSync(join(STYLES, 'icon.svg'), join(ASSETS, 'icon.svg'));
  for (const path of filesIn(ASSETS, (name) => COMPRESSED.has(extname(name)))) {
    const bytes = readFileSync(path);
    for (const [ending, compress] of [
      ['.br', brotliCompressSync],
      ['.gz', gzipSync],
    ]) {
      const compressed = compress(bytes);
      if (compressed.length < bytes.length) writeFileSync(path + ending, compressed);
    }
  }
  writeFileSync(STAMP, inputs);
}

function filesIn(folder, isWanted) {
  return readdirSync(folder, { recursive: true })
    .filter(isWanted)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(PACKAGE.length)).update(readFileSync(path));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDashboard();
