/** Texts of files of a project by path; those that it has. */
export type ReadTexts = (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A text may have megabytes. */
const TEXTS_AT_ONCE = 20;

/** The texts of files by path, some in memory at a time: whoever keeps a part of one copies it. */
export async function* readInBatches(
  paths: readonly string[],
  readTexts: ReadTexts,
): AsyncGenerator<readonly [path: string, text: string]> {
  for (let at = 0; at < paths.length; at += TEXTS_AT_ONCE)
    yield* await readTexts(paths.slice(at, at + TEXTS_AT_ONCE));
}

/** Where lines of a text begin, by their numbers from 1; those that it has. Reads the text once. */
export function startsOf(text: string, lines: Iterable<number>): Map<number, number> {
  const starts = new Map<number, number>();
  let line = 1;
  let start = 0;
  for (const wanted of [...new Set(lines)].sort((a, b) => a - b)) {
    for (; line < wanted; line++) {
      const newline = text.indexOf('\n', start);
      if (newline < 0) return starts;
      start = newline + 1;
    }
    starts.set(wanted, start);
  }
  return starts;
}

/** The line that begins at `start`, without its end. */
export function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end);
}
