import { compileWildcards } from './wildcards.js';

/** A pattern of an ignore file, as git reads it (`parse_path_pattern` in its `dir.c`). */
export interface IgnorePattern {
  readonly negated: boolean;
  /** `path` is relative to the folder of the ignore file, `name` its last part; both in bytes. */
  matches(path: string, name: string, isFolder: boolean): boolean;
}

/** The UTF-8 bytes of a text, each as a character: git matches bytes. */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The patterns of an ignore file, in order. */
export function parsePatterns(text: string): IgnorePattern[] {
  const lines = toBytes(text.replace(/^\ufeff/, '')).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => parsePattern(line));
}

function parsePattern(line: string): IgnorePattern {
  const whole = withoutSpaces(line.replace(/\r$/, ''));
  const negated = whole.startsWith('!');
  const isForFolders = whole.endsWith('/');
  const pattern = whole.slice(negated ? 1 : 0, isForFolders ? -1 : undefined);
  // A slash that is not the last character ties a pattern to its folder.
  const isTied = pattern.includes('/');
  const matchesText = compile(pattern.replace(/^\//, ''));
  return {
    negated,
    matches: (path, name, isFolder) => (isFolder || !isForFolders) && matchesText(isTied ? path : name),
  };
}

/** Compares the part before the first wildcard as text; for `**`, the pattern begins after it (`match_pathname`). */
function compile(pattern: string): (text: string) => boolean {
  const plain = pattern.search(/[*?[\\]/);
  if (plain === -1) return (text) => text === pattern;
  const start = pattern.slice(0, plain);
  const matches = compileWildcards(pattern.slice(plain));
  return (text) => text.startsWith(start) && matches(text.slice(plain));
}

/** Without the spaces at its end, unless a backslash is before them. */
function withoutSpaces(line: string): string {
  let end = 0;
  for (let i = 0; i < line.length; i += 1) {
    if (line[i] === '\\') i += 1;
    else if (line[i] === ' ') continue;
    end = i + 1;
  }
  return line.slice(0, end);
}
