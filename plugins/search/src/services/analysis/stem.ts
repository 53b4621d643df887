import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as porter } from 'stemmer';
import { fold } from './fold.js';

const PLAIN = /^[a-z]+$/u;
/** Stemmers by the script of a word. Languages that share a script share the rules of the one that most texts are in. */
const OF_SCRIPT: ReadonlyArray<readonly [RegExp, (word: string) => string]> = [
  [/^\p{Script=Cyrillic}+$/u, russian],
  [/^\p{Script=Greek}+$/u, greek],
  [/^\p{Script=Arabic}+$/u, arabic],
  [/^\p{Script=Devanagari}+$/u, hindi],
];
const MIN_LENGTH = 3;

/** The stem of a lower-case word without its accents: Porter's where it is plain Latin, Snowball's in other scripts. */
export function stem(word: string): string {
  const folded = fold(word);
  if (folded.length < MIN_LENGTH) return folded;
  if (PLAIN.test(folded)) return porter(folded);
  const [, stemmer] = OF_SCRIPT.find(([script]) => script.test(folded)) ?? [];
  return stemmer?.(folded) || folded;
}
