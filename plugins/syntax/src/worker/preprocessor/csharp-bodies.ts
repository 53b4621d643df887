const SCANNER = new RegExp(
  [
    String.raw`(?<skipped>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$(?![^]))|^[ \t]*#[^\n]*)`,
    String.raw`(?<quotes>"{3,})[^]*?(?:\k<quotes>|$(?![^]))`,
    String.raw`(?:@\$?|\$@)"(?:[^"]|"")*"?`,
    String.raw`"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?`,
    String.raw`(?<name>@?[\p{L}_][\p{L}\p{N}_]*)`,
    String.raw`\d[\w.]*|\S`,
  ].join('|'),
  'gmu',
);
const TYPES = new Set(['class', 'struct', 'interface']);

/**
 * A text of C# with a body for each type that ends with a semicolon, as `class A(int b) : C(b);` of C# 12. The body takes the
 * places of the semicolon and of the white space behind it: where there is none, the type stays as it is.
 */
export function openBodies(text: string): string {
  let result = '';
  let done = 0;
  let before = '';
  let beforeThat = '';
  let depth = 0;
  let inHead = false;
  for (const match of text.matchAll(SCANNER)) {
    const { skipped, name } = match.groups ?? {};
    if (skipped !== undefined) continue;
    const [token] = match;
    const isNamed = name !== undefined && name !== 'where';
    if (isNamed && TYPES.has(before) && beforeThat !== 'record') [inHead, depth] = [true, 0];
    else if (token === '(' || token === '[') depth += 1;
    else if (token === ')' || token === ']') depth -= 1;
    else if (inHead && depth === 0 && /^[;{}=]$/.test(token)) {
      inHead = false;
      if (token === ';' && /\s/.test(text[match.index + 1] ?? '')) {
        result += `${text.slice(done, match.index)}{}`;
        done = match.index + 2;
      }
    }
    [beforeThat, before] = [before, token];
  }
  return result + text.slice(done);
}
