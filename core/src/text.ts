/** Can every supported database store this text unchanged? Not with NUL, nor with half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

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

/** A text within a line of others: line ends, control characters and runs of blanks are one blank each. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** A path as projects have it: `./src/a.ts`, `/src/a.ts` and `src\a.ts` are `src/a.ts`. */
export function projectPath(written: string): string {
  return written.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
}

/** Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
