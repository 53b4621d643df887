/** Accents, the points of Hebrew and Arabic, and the stroke that stretches Arabic words. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu;
/** Letters with marks that Unicode does not take apart, and letters that stand for two. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const CYRILLIC = /\p{Script=Cyrillic}/u;
// oxlint-disable-next-line no-control-regex -- the range of ASCII
const ASCII = /^[\u0000-\u007f]*$/u;

/**
 * A lower-case word as people type it who leave its marks out: `résumé` is `resume`, `größe` is `grosse`. In Cyrillic the
 * marks make letters of their own, except in ё and where they tell the stress.
 */
export function fold(word: string): string {
  if (ASCII.test(word)) return word;
  if (CYRILLIC.test(word)) return word.replaceAll('ё', 'е').replaceAll('\u0301', '');
  return word
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}
