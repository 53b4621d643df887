/** A sentence ends at its mark before a blank, or at a line end. Most at a time, so that a long text costs little. */
const SENTENCE = /[^\n]{0,2000}?(?:[.!?…]+(?=\s|$)|[。！？]|\n|$)/gu;
const HEAD = 20_000;

/** The sentences of the first 20,000 characters of a text, without the marks of Markdown at their beginning. */
export function sentencesOf(text: string): string[] {
  const found = text.slice(0, HEAD).match(SENTENCE) ?? [];
  return found
    .map((sentence) => sentence.trim().replace(/^(?:[#>*\-+]+|\d+\.)\s+/u, ''))
    .filter((s) => s !== '');
}

/** The first sentence of a text, cut at a word where it is longer than `most` code units. */
export function firstSentence(text: string, most: number): string {
  return shortened(sentencesOf(text)[0] ?? '', most);
}

export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > most / 2 ? cut.slice(0, blank) : cut).toWellFormed().replace(/\uFFFD$/u, '')}…`;
}

/** Words by which a sentence gives a reason. */
const REASON =
  /\b(?:because|since|so that|in order to|due to|therefore|rationale|reason|why|trade-?off|instead of|rather than)\b/iu;
const MAX_REASONS = 3;

/** The sentences of a decision that give its reasons; a section of that name counts whole. Else empty. */
export function rationaleOf(text: string, most: number): string {
  const section = /(?:^|\n)#*\s*(?:rationale|reasons?|why|because)\s*:?\s*\n+([^#]+)/iu.exec(
    text.slice(0, HEAD),
  )?.[1];
  if (section !== undefined) return shortened(section.trim(), most);
  const reasons = sentencesOf(text).filter((sentence) => REASON.test(sentence));
  return shortened(reasons.slice(0, MAX_REASONS).join(' '), most);
}
