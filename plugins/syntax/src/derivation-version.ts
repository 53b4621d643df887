import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const here = (path: string): URL => new URL(path, import.meta.url);

/** The modules behind `parseInThread`. */
const PARSER = ['documents/', 'embedded/', 'grammars/', 'languages/', 'outlines/', 'text.js', 'worker/'].map(
  here,
);
/** Packages whose version decides what a parse gives: the parser and its grammars. */
const PACKAGES = ['web-tree-sitter', '@repomix/tree-sitter-wasms'];

/**
 * A hash that changes with the code that derives data from texts: the parsers, their grammars, and `modules`, the files
 * and folders (with a slash at the end) of a consumer. Data that was stored with another hash must be derived again.
 */
export function derivationVersion(modules: readonly URL[]): string {
  const hash = createHash('sha256').update(PACKAGES.map(pinnedVersion).join());
  for (const module of [...PARSER, ...modules].flatMap(scriptsIn)) hash.update(readFileSync(module));
  return hash.digest('base64url').slice(0, 16);
}

function pinnedVersion(name: string): string {
  // The shape of every package.json.
  const manifest = JSON.parse(readFileSync(here('../package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return manifest.dependencies[name] ?? '';
}

function scriptsIn(module: URL): URL[] {
  if (!module.pathname.endsWith('/')) return [module];
  const paths = readdirSync(module, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.js'))
    .sort()
    .map((path) => new URL(path.replaceAll('\\', '/'), module));
}
