/** RE2's Perl classes are ASCII; those of Rust's engine are not. */
const CLASSES: Readonly<Record<string, string>> = {
  w: '[0-9A-Za-z_]',
  W: '[^0-9A-Za-z_]',
  d: '[0-9]',
  D: '[^0-9]',
  s: '[\\t\\n\\f\\r ]',
  S: '[^\\t\\n\\f\\r ]',
};

const REPEAT = /^\{\d+(?:,\d*)?\}/u;

/**
 * An expression of RE2 syntax in that of Rust's regex crate, meaning the same: ASCII classes and word boundaries,
 * `\Q…\E`, octal escapes, literal braces, and no set operations inside classes. The expression must be valid RE2.
 */
export function toRustSyntax(pattern: string): string {
  let out = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] ?? '';
    if (char === '\\') {
      const [written, length] = escape(pattern, i, inClass);
      out += written;
      i += length - 1;
    } else if (inClass) {
      if (char === '[' && pattern[i + 1] === ':') {
        const end = pattern.indexOf(':]', i);
        out += pattern.slice(i, end + 2);
        i = end + 1;
      } else if (char === ']') {
        inClass = false;
        out += char;
      } else out += '[&~'.includes(char) ? `\\${char}` : char;
    } else if (char === '[') {
      inClass = true;
      // A ] in the first place is a member.
      const head = /^\[\^?\]?/u.exec(pattern.slice(i))?.[0] ?? '[';
      out += head.replace(']', '\\]');
      i += head.length - 1;
    } else if (char === '{' && !REPEAT.test(pattern.slice(i))) out += '\\{';
    else out += char;
  }
  return out;
}

/** The escape at `at`, rewritten, and how many characters it takes. */
function escape(pattern: string, at: number, inClass: boolean): [string, number] {
  const next = pattern[at + 1] ?? '';
  const ascii = CLASSES[next];
  if (ascii) return [ascii, 2];
  if (!inClass && (next === 'b' || next === 'B')) return [`(?-u:\\${next})`, 2];
  if (next === 'Q') {
    const end = pattern.indexOf('\\E', at + 2);
    const quoted = pattern.slice(at + 2, end === -1 ? undefined : end);
    return [quoted.replaceAll(/[\\.+*?()|[\]{}^$&~#-]/gu, '\\$&'), quoted.length + (end === -1 ? 2 : 4)];
  }
  if (next === 'E') return ['', 2];
  const octal = /^[0-7]{1,3}/u.exec(pattern.slice(at + 1))?.[0];
  if (octal !== undefined) return [`\\x{${Number.parseInt(octal, 8).toString(16)}}`, octal.length + 1];
  if (/[\w]/u.test(next)) return [`\\${next}`, 2];
  // Escaped punctuation; Rust refuses to escape what it need not, such as a letter of another script.
  return [/[\u0021-\u007e]/u.test(next) ? `\\${next}` : next, 2];
}
