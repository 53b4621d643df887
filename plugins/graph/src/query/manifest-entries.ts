import { posix } from 'node:path';

/** Fields of a `package.json` that name files for users of the package. */
const FILE_FIELDS = ['main', 'module', 'source', 'types', 'typings', 'browser', 'bin', 'exports'];
/** Names of files in one manifest, patterns among them, their length, and how deep conditions around them nest. */
const MAX_TARGETS = 20_000;
const MAX_PATTERNS = 1000;
const MAX_TARGET = 1024;
const MAX_NESTING = 20;
/** Sections of `pyproject.toml` and `setup.cfg` that name functions and modules. */
const SCRIPTS =
  /^(?:project\.(?:gui-)?scripts|(?:project|options)\.entry[-_]points\b.*|tool\.poetry\.(?:scripts|plugins\b.*))$/;
/** The same as a value in `[project]`. */
const SCRIPTS_VALUE = /^\s*(?:(?:gui-)?scripts|entry-points)\s*=/;
/** `name = package.module:function`; in a section of its own the function may be left out. */
const FUNCTION = /=\s*["']?([A-Za-z_][\w.]*)\s*:\s*([A-Za-z_][\w.]*)/g;
const MODULE = /=\s*["']?([A-Za-z_][\w.]*)["']?\s*(?:[#;][^]*)?$/g;

/** Paths that a `package.json` names for users of the package, relative to it; each once. `*` stands for any text. */
export function filesOfPackage(text: string): string[] {
  const manifest = parse(text);
  const named = FILE_FIELDS.flatMap((field) => textsIn(manifest[field], MAX_NESTING));
  const paths = new Set(
    named.filter((each) => each.length <= MAX_TARGET).map((each) => posix.normalize(each)),
  );
  let patterns = 0;
  return [...paths].slice(0, MAX_TARGETS).filter((each) => !each.includes('*') || patterns++ < MAX_PATTERNS);
}

/** Modules and functions that a `pyproject.toml`, `setup.cfg` or `setup.py` names for commands and plugins. */
export function functionsOfPackage(
  path: string,
  text: string,
): Array<{ readonly module: string; readonly name: string | undefined }> {
  const isScript = path.endsWith('.py');
  let section = '';
  return text.split('\n').flatMap((line) => {
    const header = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) section = header.replaceAll(/["'\s]/g, '');
    const isOwn = SCRIPTS.test(section);
    if (!isScript && !isOwn && !(section === 'project' && SCRIPTS_VALUE.test(line))) return [];
    const functions = Array.from(line.matchAll(FUNCTION), ([, module = '', name]) => ({ module, name }));
    if (functions.length > 0 || !isOwn) return functions;
    return Array.from(line.matchAll(MODULE), ([, module = '']) => ({ module, name: undefined }));
  });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function textsIn(value: unknown, nesting: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || nesting === 0) return [];
  return Object.values(value).flatMap((each) => textsIn(each, nesting - 1));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
