import type { Call, Import } from '../../contract.js';
import { clip } from '../../text.js';
import type { Range } from '../mark-declarations.js';

/** Of a name, type or receiver. */
const MAX_TEXT = 200;
/** Of a module specifier. */
const MAX_MODULE = 1000;

/** A range with its white space folded, at most `limit` units. */
export function fold(text: string, { start, end }: Range, limit = MAX_TEXT): string {
  const slice = text.slice(start, Math.min(end, start + 2 * limit));
  return clip(/\s/.test(slice) ? slice.replaceAll(/\s+/g, ' ').trim() : slice, limit);
}

/** A folded path without optional and non-null marks and white space around its dots: `a?.b!\n.c` is `a.b.c`. */
export function foldPath(text: string, range: Range): string {
  return fold(text, range)
    .replaceAll(/!?\s*\??(\.|::|->)\s*/g, '$1')
    .replace(/!$/, '');
}

/** Reads the path that begins with the identifier at an offset; `separator` is part of a regular expression. */
export function pathReader(
  text: string,
  separator: string,
): (start: number) => { name: string; end: number } {
  // Bounded, because the path is read from each of its parts: a hostile one has a million.
  const segment = String.raw`[\p{ID_Continue}$]{1,200}`;
  const join = String.raw`\s{0,100}(?:${separator})\s{0,100}`;
  const pattern = new RegExp(`[@$]{0,2}${segment}(?:${join}${segment}){0,20}`, 'uy');
  return (start) => {
    pattern.lastIndex = start;
    const found = pattern.exec(text)?.[0] ?? '';
    return { name: foldPath(found, { start: 0, end: found.length }), end: start + found.length };
  };
}

/** A qualified name includes its receiver: `A::b<T>` of C++, `A\B` of PHP. */
export function qualified(name: string | null, receiver: string | null): Pick<Call, 'name' | 'receiver'> {
  const path = name === null ? null : /^(.*)(?:::|\\)([^:\\<]+)(?:<.*)?$/s.exec(name);
  return path ? { name: path[2] ?? '', receiver: path[1] || null } : { name, receiver };
}

export function unquoted(text: string): string {
  return text.replace(/^[frbu]?(['"`]|<)(.*)(['"`]|>)$/s, '$2');
}

/** Not part of the name of a Go package: `v2` in `github.com/x/y/v2`. */
const MAJOR = /^(?:v\d+)?$/;

interface ImportNodes {
  /** The outer parts of the path first. */
  readonly modules: readonly Range[];
  readonly name: string | null;
  readonly local: string | null;
  /** The settings of the pattern. */
  readonly set: Readonly<Record<string, string | null>>;
}

type ImportText = Pick<Import, 'module' | 'kind' | 'name' | 'local' | 'reexport'>;

/** An import from the captures and settings of its pattern. */
export function importText(text: string, { modules, name, local, set }: ImportNodes): ImportText {
  const path = modules.map((range) => unquoted(fold(text, range, MAX_MODULE))).join(set['join'] ?? '');
  const whole = `${set['prefix'] ?? ''}${path}`;
  const reexport = set['reexport'] !== undefined;
  const cut = 'split' in set ? /^(.*?)(?:\.|::|\\)?([^.:\\]+)$/s.exec(whole) : null;
  if (cut) {
    const last = cut[2] ?? '';
    return { module: cut[1] ?? '', kind: 'named', name: last, local: local ?? last, reexport };
  }
  const kind = (set['kind'] ?? 'named') as Import['kind']; // the queries are ours
  if (kind === 'wildcard' || kind === 'load')
    return { module: whole, kind, name: null, local: null, reexport };
  if (kind === 'named') return { module: whole, kind, name, local: local ?? name, reexport };
  const segments = whole.split(/[./]/).filter((part) => !MAJOR.test(part));
  const implied = set['local'] === 'first' ? segments[0] : segments.at(-1);
  return { module: whole, kind, name: null, local: local ?? implied ?? null, reexport };
}
