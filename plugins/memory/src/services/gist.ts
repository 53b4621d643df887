import { analyse } from '@service-mcp/plugin-search/contract';
import { normal, WORD, type Words } from './words.js';

/** Characters of a text with a gist, and the different words of one. */
const MAX_GIST_LENGTH = 2000;
const MIN_GIST = 3;

/**
 * The words of a text in their order, without their endings and without function words; of these only those that tell one
 * statement from another, and names in capitals (`IT`, cluster `A`). Of a long text, or one of few such words, none: people
 * say a thing in other words in a sentence, not on a page.
 */
export function gistOf({ title, content }: Words): readonly string[] {
  if (title.length + content.length > MAX_GIST_LENGTH) return [];
  const gist: string[] = [];
  for (const text of [title, content]) {
    const words = text.replaceAll(CONTRACTED, '').replaceAll(FIRST_ARTICLE, '').match(WORD) ?? [];
    for (const word of words) {
      const lowered = normal(word);
      const isTelling = TELLING.has(lowered);
      if (!isTelling && analyse(word).length > 0) gist.push(withoutEnding(lowered));
      else if (isTelling || word === word.toUpperCase()) gist.push(lowered);
    }
  }
  return new Set(gist).size < MIN_GIST ? [] : gist;
}

/**
 * An English word without the endings of number and tense. A stemmer for search takes more off: `custom` of customers,
 * `intern` of internal and international.
 */
function withoutEnding(word: string): string {
  const one = word.replace(/(?<=[^s])s$/u, '');
  return one
    .replace(/(?<=..)(?:e|ed|ing)$/u, '')
    .replace(/y$/u, 'i')
    .replace(/([b-df-hj-np-tv-z])\1$/u, '$1');
}

/** What is left of a verb, or of an owner, behind an apostrophe. */
const CONTRACTED = /(?<=\p{L})['’](?:s|re|ve|ll|d|m)(?![\p{L}\p{N}])/giu;

/** `A` where it is not a name: at the begin of a sentence. */
const FIRST_ARTICLE = /(?<=^|[.!?:;\n]\s{0,9})A(?=\s+\p{Ll})/gu;

/** English function words that tell one statement from another of the same words. */
const TELLING: ReadonlySet<string> = new Set(
  `about above after against all am any before below between both but by can cannot could did down during each except few
from had he her hers him his if into may me might mine more most must my no nor not off once only or other out over same she
should some than their theirs them they through under unless until up was were when where while will without would you your
yours`.split(/\s+/u),
);
