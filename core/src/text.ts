/** Can every supported database store this text unchanged? Not with NUL, nor with half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

const ASCII = 0x7f;
/** Signs, Chinese, Japanese and Korean begin here, after the alphabets. */
const ONE_TOKEN = 0x2000;

const MAX_EMAIL_LENGTH = 320; // the longest valid address; database indexes limit the length of text

/** Canonical form of an e-mail address for storing and comparing. Characters that a database rejects are replaced. */
export function normalEmail(email: string): string {
  const stored = email.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_EMAIL_LENGTH);
  return stored.trim().normalize('NFC').toLowerCase();
}

/** A number with its noun: `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * A text within a line of others: line ends, runs of blanks, control characters and what sets the direction of text are one
 * blank each.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
}

/** A path as projects have it: `./src/a.ts`, `/src/a.ts` and `src\a.ts` are `src/a.ts`. */
export function projectPath(written: string): string {
  return written.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
}

/**
 * Tokens that a text may be for a language model: a quarter for a character of ASCII, a half for one of another alphabet,
 * and one for each UTF-16 unit of Chinese, Japanese, Korean, signs and emoji. No less than `o200k_base` counts in prose.
 */
export function estimateTokens(text: string): number {
  let quarters = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= ONE_TOKEN) quarters += 3;
    else if (unit > ASCII) quarters += 1;
  }
  return quarters / 4;
}

/** Levenshtein distance; Infinity where it is over `limit`, after work in proportion to the length times the limit. */
export function editDistance(a: string, b: string, limit = a.length + b.length): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let previous = new Int32Array(b.length + 1);
  let current = new Int32Array(b.length + 1);
  for (let j = 0; j <= Math.min(b.length, limit + 1); j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    // Beside the columns that the limit can reach every distance is over it.
    current[from - 1] = from === 1 ? i : limit + 1;
    let least = current[from - 1] ?? 0;
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j++) {
      const replace = (previous[j - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      const distance = Math.min(replace, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      current[j] = distance;
      if (distance < least) least = distance;
    }
    if (to < b.length) current[to + 1] = limit + 1;
    if (least > limit) return Infinity;
    [previous, current] = [current, previous];
  }
  const distance = previous[b.length] ?? 0;
  return distance > limit ? Infinity : distance;
}
