/** A place in a text, by UTF-16 offsets; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds one kind of secret. `find` is linear in the length of the text. */
export interface Rule {
  readonly id: string;
  readonly find: (text: string) => Iterable<Range>;
}

/** The places of a pattern with the flag g: of its group `secret` (flag d) where it has one, else of the match. */
export function* places(pattern: RegExp, text: string): Iterable<Range> {
  for (const { 0: match, index, indices } of text.matchAll(pattern)) {
    const [start, end] = indices?.groups?.['secret'] ?? [index, index + match.length];
    yield { start, end };
  }
}
