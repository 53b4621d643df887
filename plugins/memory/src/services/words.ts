/** What a record says. */
export interface Words {
  readonly title: string;
  readonly content: string;
}

export const WORD: RegExp = /[\p{L}\p{M}\p{N}]+/gu;

/** A text in lower case, after NFKC. */
export function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The words of a text, in their order. */
export function wordsIn(text: string): readonly string[] {
  return normal(text).match(WORD) ?? [];
}
