/** Equal without case by CaseFolding.txt alone: their upper cases are several code units. */
const EQUAL_PAIRS = [
  [0x1fd3, 0x0390],
  [0x1fe3, 0x03b0],
  [0xfb05, 0xfb06],
] as const;

/**
 * Case folding by code unit: the lower case of the upper case, where both are one code unit. All code units that RE2
 * takes for equal without case fold to one, the Kelvin sign to `k` and the long s to `s` too, so that one index serves
 * searches with and without case. Folding more than that would cost candidates, never matches.
 */
export const FOLD: Uint16Array = foldTable();

function foldTable(): Uint16Array {
  const table = new Uint16Array(65_536);
  for (let unit = 0; unit < table.length; unit++) {
    const upper = String.fromCharCode(unit).toUpperCase();
    const lower = (upper.length === 1 ? upper : String.fromCharCode(unit)).toLowerCase();
    table[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
  }
  for (const [from, to] of EQUAL_PAIRS) table[from] = to;
  return table;
}

/** The hash of three folded code units, of 32 bits. Two trigrams of one hash share their documents. */
export function trigramHash(a: number, b: number, c: number): number {
  const mixed = Math.imul(Math.imul(Math.imul(a, 0x85ebca6b) ^ b, 0xc2b2ae35) ^ c, 0x27d4eb2f);
  return Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1) >>> 0;
}
