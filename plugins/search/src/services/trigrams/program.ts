import type { RE2JS } from 're2js';

/** Instructions of a compiled expression by number, as in Go's regexp/syntax; those from `rune` on take a character. */
export const OP = { alt: 1, altMatch: 2, emptyWidth: 4, fail: 5, match: 6, rune: 8, rune1: 9 } as const;
const FOLD_CASE = 1;
const BEGIN_TEXT = 4;
const END_TEXT = 8;

export interface Instruction {
  readonly op: number;
  readonly out: number;
  /** The second branch of an alternative; flags of others. */
  readonly arg: number;
  /** One code point, or ranges of them. */
  readonly runes: ArrayLike<number>;
}

/** The automaton of a compiled expression. */
export interface Program {
  readonly start: number;
  readonly inst: readonly Instruction[];
}

/** re2js has no types for the parts of a program; tests over random expressions hold them to these. */
export function programOf(regex: RE2JS): Program {
  return regex.re2().prog;
}

/** Does the instruction take its one character in any case? */
export function isFolded({ arg }: Instruction): boolean {
  return (arg & FOLD_CASE) !== 0;
}

/** Does it ask for the start or the end of the whole text? */
export function isAnchored({ inst }: Program): boolean {
  return inst.some(({ op, arg }) => op === OP.emptyWidth && (arg & (BEGIN_TEXT | END_TEXT)) !== 0);
}

/** Does the instruction take one of these characters, and nothing else? */
export function takesOnly({ op, runes }: Instruction, characters: ReadonlySet<number>): boolean {
  if ((op !== OP.rune && op !== OP.rune1) || runes.length === 0) return false;
  for (let at = 0; at < runes.length; at += 2) {
    const low = runes[at] ?? 0;
    if (!characters.has(low) || (runes[at + 1] ?? low) !== low) return false;
  }
  return true;
}
