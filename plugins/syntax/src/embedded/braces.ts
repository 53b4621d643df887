/** The offset behind the `}` that closes the `{` at an offset; undefined where none does. Reads strings and comments as JavaScript. */
export function closingBrace(text: string, open: number): number | undefined {
  /** For each open brace, whether a template literal goes on behind it. */
  const braces: boolean[] = [];
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') braces.push(false);
    else if (character === '}') {
      const inTemplate = braces.pop();
      if (braces.length === 0) return at + 1;
      if (inTemplate) at = templateEnd(text, at, braces);
    } else if (character === '`') at = templateEnd(text, at, braces);
    else if (character === '"' || character === "'") at = stringEnd(text, at);
    else if (character === '/') at = commentEnd(text, at);
    else if (character === '\\') at += 1; // of a regular expression
  }
  return undefined;
}

/** The last character of a template literal, or of `${`, which is pushed. `start`: a backtick, or the brace before its rest. */
function templateEnd(text: string, start: number, braces: boolean[]): number {
  let at = start + 1;
  for (; at < text.length && text[at] !== '`'; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '$' && text[at + 1] === '{') {
      braces.push(true);
      return at + 1;
    }
  }
  return at;
}

/** The closing quote; the opening one where the line has no other, as an apostrophe of prose. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at;
  }
  return start;
}

/** The last character of a comment; `start` where none begins, as in an address. */
function commentEnd(text: string, start: number): number {
  const isLine = text[start + 1] === '/' && text[start - 1] !== ':';
  if (!isLine && text[start + 1] !== '*') return start;
  const end = isLine ? text.indexOf('\n', start) : text.indexOf('*/', start + 2) + 1;
  return end > start ? end : text.length;
}

/** The offset of the first match of a pattern outside of brackets and strings, and its length. `pattern` is sticky. */
export function findOutside(
  text: string,
  pattern: RegExp,
): { readonly index: number; readonly length: number } | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    pattern.lastIndex = at;
    const match = depth === 0 ? pattern.exec(text) : null;
    if (match) return { index: at, length: match[0].length };
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === '"' || character === "'") at = stringEnd(text, at);
    else if (character === '\\') at += 1;
  }
  return undefined;
}
