const NAMES = new Set([
  'package.json',
  'deno.json',
  'deno.jsonc',
  'go.mod',
  'go.work',
  'composer.json',
  'Cargo.toml',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
]);
/** Also those that others extend: `tsconfig.base.json`, `base.tsconfig.json`, `typescript-config/base.json`. */
const COMPILER_OPTIONS =
  /(?:^|[/.-])(?:tsconfig|jsconfig)(?:[.-][^/]*)?\.json$|(?:^|[/.-])(?:tsconfig|typescript-config)\/[^/]+\.json$/u;

/** Whether a file says how modules are found: see `Manifest`. */
export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAMES.has(name) || COMPILER_OPTIONS.test(path);
}
