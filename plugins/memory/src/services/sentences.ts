/** A sentence ends at its mark before a blank, at a line end, or after so many characters: a long text costs little. */
const SENTENCE =
  /[^\n]{0,2000}?(?:(?<![.!?…])[.!?…]+(?=\s|$)|[。！？]|\n|$)|[^\n]{1,2000}(?=\s)|[^\n]{2000}/gu;
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

/** The part of a text around a place, which it shows, cut at words on both sides. */
function shortenedAround(text: string, place: number, most: number): string {
  const start = Math.min(Math.max(0, Math.floor(place - most / 2)), text.length - most);
  if (start <= 0) return shortened(text, most);
  const blank = text.indexOf(' ', start);
  const from = blank >= 0 && blank < place ? blank + 1 : start;
  return `…${shortened(
    text
      .slice(from)
      .toWellFormed()
      .replace(/^\uFFFD/u, ''),
    most - 1,
  )}`;
}

/** A text that is as short as a sentence or two is shown whole. */
const SHORT = 160;

/**
 * The sentences of a text that have highlights, in their order and with … for what is left out: at most `most` code
 * units, those with the most highlights first, where a word counts once, and for less the more often the text has it. Of a
 * text without highlights its beginning.
 */
export function matchingSentences(
  text: string,
  highlights: readonly { readonly start: number; readonly end: number }[],
  most: number,
): string {
  if (text.length <= Math.min(SHORT, most)) return text.trim();
  const words = highlights
    .map(({ start, end }) => ({ start, word: text.slice(start, end).toLowerCase() }))
    .sort((a, b) => a.start - b.start);
  const times = new Map<string, number>();
  for (const { word } of words) times.set(word, (times.get(word) ?? 0) + 1);
  let next = 0;
  const sentences = [...text.matchAll(SENTENCE)]
    .map(({ 0: sentence, index }) => ({ text: sentence.trim(), start: index, end: index + sentence.length }))
    .filter((sentence) => sentence.text !== '')
    .map((sentence, place) => {
      while ((words[next]?.start ?? Infinity) < sentence.start) next += 1;
      const from = next;
      while ((words[next]?.start ?? Infinity) < sentence.end) next += 1;
      const matched = words.slice(from, next);
      const distinct = [...new Set(matched.map(({ word }) => word))];
      return {
        ...sentence,
        place,
        weight: distinct.reduce((sum, word) => sum + 1 / (times.get(word) ?? 1), 0),
        first: (matched[0]?.start ?? 0) - sentence.start,
      };
    });
  const chosen = new Map<number, string>();
  let left = most;
  const matching = sentences.filter(({ weight }) => weight > 0);
  const best = matching.length > 0 ? matching.toSorted((a, b) => b.weight - a.weight) : sentences;
  for (const { text: sentence, place, first } of best) {
    if (chosen.size > 0 && sentence.length > left) continue;
    const shown = sentence.length > left ? shortenedAround(sentence, first, left) : sentence;
    chosen.set(place, shown);
    left -= shown.length + ' … '.length;
  }
  const places = [...chosen.keys()].sort((a, b) => a - b);
  const parts = places.map(
    (place, i) => (place === (places[i - 1] ?? -1) + 1 ? '' : '… ') + chosen.get(place),
  );
  return parts.join(' ') + (places.at(-1) === sentences.length - 1 ? '' : ' …');
}

/** Words by which a sentence gives a reason. */
const REASON =
  /\b(?:because|since|so that|in order to|due to|therefore|rationale|reason|why|trade-?off|instead of|rather than)\b/iu;
const MAX_REASONS = 3;

/** Blanks of one line between its parts: many of several lines would be tried from each of them. */
const REASONS_SECTION =
  /(?:^|\n)#*[^\S\n]*(?:rationale|reasons?|why|because)[^\S\n]*(?::[^\S\n]*)?\n+([^#]+)/iu;

/** The sentences of a decision that give its reasons; a section of that name counts whole. Else empty. */
export function rationaleOf(text: string, most: number): string {
  const section = REASONS_SECTION.exec(text.slice(0, HEAD))?.[1];
  if (section !== undefined) return shortened(section.trim(), most);
  const reasons = sentencesOf(text).filter((sentence) => REASON.test(sentence));
  return shortened(reasons.slice(0, MAX_REASONS).join(' '), most);
}
