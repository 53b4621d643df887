import { isFolded, OP, type Instruction, type Program } from './program.js';

/** Longer programs are not analysed: the time grows with the square. */
const MAX_INSTRUCTIONS = 500;
/** Characters of a run that are looked for: each place of a text may cost a step for each. */
const MAX_RUN = 64;
/** A run that tells less is in most lines: three digits tell 11 bits, two letters 14, `\w` one. */
const MIN_BITS = 10;
const LINE_FEED = 10;

/** A class of characters as written in a RegExp, and how much it tells: log2 of 128 over those of ASCII that it takes. */
interface OneOf {
  readonly source: string;
  readonly bits: number;
}

/**
 * Finds what tells most of the texts that every match has: a row of characters or classes, with no choice between
 * ways through it, so that the RegExp takes a bounded time at each place. It may find more, never less. Undefined where
 * there is none that tells enough.
 */
export function requiredRun(program: Program): RegExp | undefined {
  const { inst } = program;
  if (inst.length > MAX_INSTRUCTIONS) return undefined;
  const classes = inst.map((instruction, pc) => {
    const one = classOf(instruction);
    return one && !reachesMatch(program, pc) ? one : undefined;
  });
  let best: readonly OneOf[] = [];
  for (let [pc, first] of classes.entries()) {
    const run = [];
    const seen = new Set<number>();
    for (let one = first; one && !seen.has(pc) && run.length < MAX_RUN; one = classes[pc]) {
      seen.add(pc);
      run.push(one);
      pc = nextCharacter(inst, inst[pc]?.out ?? 0);
    }
    if (bitsOf(run) > bitsOf(best)) best = run;
  }
  if (bitsOf(best) < MIN_BITS) return undefined;
  return new RegExp(best.map(({ source }) => source).join(''), 'g');
}

function bitsOf(run: readonly OneOf[]): number {
  return run.reduce((sum, { bits }) => sum + bits, 0);
}

/**
 * Of an instruction that takes one character. Undefined for a class with characters of two code units, and for one with
 * the line feed, which may be `\r\n` in a text.
 */
function classOf(instruction: Instruction): OneOf | undefined {
  const { op, runes } = instruction;
  if ((op !== OP.rune && op !== OP.rune1) || runes.length === 0) return undefined;
  if (runes.length === 1) return oneOf(runes[0] ?? 0, isFolded(instruction));
  let source = '';
  let ascii = 0;
  for (let at = 0; at < runes.length; at += 2) {
    const low = runes[at] ?? 0;
    const high = runes[at + 1] ?? low;
    if (high > 0xffff || (low <= LINE_FEED && LINE_FEED <= high)) return undefined;
    source += low === high ? escaped(low) : `${escaped(low)}-${escaped(high)}`;
    ascii += Math.max(0, Math.min(high, 127) - low + 1);
  }
  return { source: `[${source}]`, bits: Math.log2(128 / Math.max(1, ascii)) };
}

/** With folding, of a character whose cases are known. */
function oneOf(rune: number, folded: boolean): OneOf | undefined {
  if (rune === LINE_FEED || (rune >= 0xd800 && rune <= 0xdfff) || (folded && rune > 127)) return undefined;
  const text = String.fromCodePoint(rune);
  const units = folded
    ? [...new Set([text.toLowerCase(), text.toUpperCase(), ALSO[text.toLowerCase()] ?? text])]
    : [];
  if (units.length < 2)
    return {
      source: Array.from({ length: text.length }, (_, at) => escaped(text.charCodeAt(at))).join(''),
      bits: 7 * text.length,
    };
  return { source: `[${units.map((unit) => escaped(unit.charCodeAt(0))).join('')}]`, bits: 6 };
}

/** What equals a letter of ASCII without case besides its other case: the Kelvin sign and the long s. */
const ALSO: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The instruction that takes the next character, where only one can; else that of a fork or the end. */
function nextCharacter(inst: readonly Instruction[], from: number): number {
  let pc = from;
  for (let op = inst[pc]?.op ?? OP.fail; op < OP.rune; op = inst[pc]?.op ?? OP.fail) {
    if (op === OP.alt || op === OP.altMatch || op === OP.match || op === OP.fail) break;
    pc = inst[pc]?.out ?? 0;
  }
  return pc;
}

/** Is there a match that does not pass an instruction? */
function reachesMatch({ start, inst }: Program, without: number): boolean {
  const open = [start];
  const seen = new Set([without, start]);
  if (start === without) return false;
  for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
    const { op, out, arg } = inst[pc] ?? { op: OP.fail, out: 0, arg: 0 };
    if (op === OP.match) return true;
    if (op === OP.fail) continue;
    for (const next of op === OP.alt || op === OP.altMatch ? [out, arg] : [out]) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return false;
}
