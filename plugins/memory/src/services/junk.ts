const MIN_WORDS = 3;
const WORD = /[\p{L}\p{N}]+/gu;
const PLACEHOLDER =
  /^(?:test(?:ing)?(?: \d+)?|asdf\w*|qwert\w*|foo(?: bar)?(?: baz)?|todo|tbd|n\/?a|none|null|undefined|hello(?: world)?|xxx+|\.+|-+)$/iu;

/** Why a record says nothing; undefined where it may say something. */
export function junkReason({ title, content }: { title: string; content: string }): string | undefined {
  const text = content.trim();
  if (/lorem ipsum/iu.test(text)) return 'it is placeholder text';
  if (PLACEHOLDER.test(text)) return 'it is a placeholder';
  const words = `${title} ${text}`.toLowerCase().match(WORD) ?? [];
  if (words.length === 0) return 'it has no word';
  const isScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
  if (isScript) return undefined; // these write no blanks between words
  if (new Set(words).size < MIN_WORDS) return `it has fewer than ${MIN_WORDS} different words`;
  if (text.length >= 8 && new Set(text.replaceAll(/\s/gu, '')).size <= 3)
    return 'it repeats the same characters';
  return undefined;
}
