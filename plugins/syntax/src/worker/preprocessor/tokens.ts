import type { Range } from '../mark-declarations.js';

/** A token of C or C++. Comments and white space are left out. */
export interface Token extends Range {
  readonly text: string;
  readonly kind: 'name' | 'directive' | 'other';
}

/** No part of it is tried again at the next character: a hostile text takes no longer than another. */
const SCANNER = new RegExp(
  [
    String.raw`(?<comment>\/\/(?:\\\r?\n|[^\n])*|\/\*[^]*?(?:\*\/|$(?![^])))`,
    String.raw`(?<directive>^[ \t]*#(?:\\\r?\n|[^\n])*)`,
    String.raw`R"(?<delimiter>[^\s()\\]{0,16})\([^]*?(?:\)\k<delimiter>"|$(?![^]))`,
    String.raw`"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?`,
    String.raw`(?<name>[\p{L}_$][\p{L}\p{N}_$]*)`,
    String.raw`\d[\w.']*|::|->|\S`,
  ].join('|'),
  'gmu',
);

/** A whole directive with its continued lines is one token. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(SCANNER)) {
    const { comment, directive, name } = match.groups ?? {};
    if (comment !== undefined) continue;
    const kind = directive !== undefined ? 'directive' : name !== undefined ? 'name' : 'other';
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length, kind });
  }
  return tokens;
}

/** The text with ranges blanked: places and lines of all else stay. */
export function blanked(text: string, ranges: readonly Range[]): string {
  let result = '';
  let done = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    result += text.slice(done, from) + text.slice(from, end).replaceAll(/[^\r\n]/g, ' ');
    done = end;
  }
  return result + text.slice(done);
}
