import { FOLD, trigramHash } from './fold.js';
import { isFolded, OP, type Instruction, type Program } from './program.js';

/** A step between two states that a text can take only if it has all of these trigrams, as hashes. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly hashes: readonly number[];
}

/** A text can match only if steps whose trigrams it has lead from START to GOAL. */
export interface TrigramPlan {
  readonly states: number;
  readonly steps: readonly Step[];
  /** All hashes of the steps, in order. */
  readonly hashes: readonly number[];
}

export const GOAL = 0;
export const START = 1;

/** Characters of a class that are followed one by one; a larger class ends a literal. */
const MAX_MEMBERS = 8;
const MAX_STATES = 400;
/** A plan of more hashes leaves some out: each costs the reading of a row a segment. */
const MAX_HASHES = 128;

/**
 * The plan of an expression; undefined where every text is a candidate. Its states are the instructions of the
 * compiled automaton, each with the last two characters before it; a line feed is `\r\n` in some texts. PostgreSQL's pg_trgm transforms automata in this
 * way (contrib/pg_trgm/trgm_regexp.c); the use of trigrams is that of Russ Cox, "Regular Expression Matching with a
 * Trigram Index" (2012).
 */
export function trigramPlan(program: Program): TrigramPlan | undefined {
  const steps = stepsOf(program);
  if (!steps) return undefined;
  const hashes = [...new Set(steps.flatMap((step) => step.hashes))];
  const every = Math.ceil(hashes.length / MAX_HASHES);
  const kept = new Set(hashes.filter((_, at) => at % every === 0));
  const plan = {
    states: steps.reduce((most, { from, to }) => Math.max(most, from, to), START) + 1,
    steps:
      every === 1
        ? steps
        : steps.map((step) => ({ ...step, hashes: step.hashes.filter((hash) => kept.has(hash)) })),
    hashes: Array.from(Uint32Array.from(kept).sort()),
  };
  return candidatesOf(plan, 1, () => NOWHERE).length === 0 ? plan : undefined;
}

/** Undefined where nothing is required. Beyond the states that are followed, nothing is. */
function stepsOf({ start, inst }: Program): Step[] | undefined {
  const numbers = new Map<string, number>();
  const open: Array<{ readonly pc: number; readonly context: string }> = [];
  const steps: Step[] = [];
  const numberOf = (pc: number, context: string): number => {
    if (inst[pc]?.op === OP.match) return GOAL;
    const key = `${String(pc)} ${context}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (open.length === MAX_STATES) return GOAL;
    open.push({ pc, context });
    numbers.set(key, open.length);
    return open.length;
  };
  if (numberOf(start, '') === GOAL) return undefined;
  for (let at = 0; at < open.length; at++) {
    const { pc, context } = open[at] as (typeof open)[number]; // `at` is below its length
    const instruction = inst[pc];
    if (!instruction || instruction.op === OP.fail) continue;
    const { op, out, arg } = instruction;
    const go = (to: number, before: string, hashes: readonly number[] = []) =>
      steps.push({ from: at + 1, to: numberOf(to, before), hashes });
    if (op < OP.rune) {
      go(out, context);
      if (op === OP.alt || op === OP.altMatch) go(arg, context);
      continue;
    }
    const members = membersOf(instruction);
    if (!members) go(out, '');
    for (const member of members?.has('\n') ? [...members, '\r\n'] : (members ?? [])) {
      const text = context + member;
      go(out, text.slice(-2), hashesOf(text));
    }
  }
  return steps;
}

/** The folded texts of the characters that an instruction accepts; undefined where they are many. */
function membersOf(instruction: Instruction): ReadonlySet<string> | undefined {
  const { op, runes } = instruction;
  if (op !== OP.rune && op !== OP.rune1) return undefined;
  const members = new Set<string>();
  for (let at = 0; at < runes.length; at += 2) {
    const low = runes[at] ?? 0;
    const high = runes[at + 1] ?? low;
    // A folded character outside the first plane stands for others that fold elsewhere.
    if (high - low >= 4 * MAX_MEMBERS || (isFolded(instruction) && high > 0xffff)) return undefined;
    for (let rune = low; rune <= high; rune++) members.add(folded(String.fromCodePoint(rune)));
  }
  return members.size > MAX_MEMBERS ? undefined : members;
}

function folded(text: string): string {
  return String.fromCharCode(
    ...Array.from({ length: text.length }, (_, at) => FOLD[text.charCodeAt(at)] ?? 0),
  );
}

function hashesOf(text: string): number[] {
  const hashes = [];
  for (let at = 2; at < text.length; at++)
    hashes.push(trigramHash(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at)));
  return hashes;
}

const NOWHERE = new Uint32Array(0);

/**
 * The ordinals below `documents` that a plan cannot rule out. `postings` gives the documents of a hash as bits, 32 a
 * word; missing words are empty.
 */
export function candidatesOf(
  { states, steps }: Pick<TrigramPlan, 'states' | 'steps'>,
  documents: number,
  postings: (hash: number) => Uint32Array,
): number[] {
  const words = Math.ceil(documents / 32);
  const reached: Array<Uint32Array | undefined> = Array.from({ length: states });
  reached[START] = new Uint32Array(words).fill(0xffffffff);
  const outgoing = new Map<number, Step[]>();
  for (const step of steps) {
    const same = outgoing.get(step.from);
    if (same) same.push(step);
    else outgoing.set(step.from, [step]);
  }
  const waiting = new Set([START]);
  for (const state of waiting) {
    waiting.delete(state);
    for (const { to, hashes } of outgoing.get(state) ?? []) {
      const some = Uint32Array.from(reached[state] ?? []);
      for (const hash of hashes) {
        const own = postings(hash);
        for (let word = 0; word < words; word++) some[word] = (some[word] ?? 0) & (own[word] ?? 0);
      }
      const target = (reached[to] ??= new Uint32Array(words));
      let grew = false;
      for (let word = 0; word < words; word++) {
        const before = target[word] ?? 0;
        const now = (before | (some[word] ?? 0)) >>> 0;
        if (now !== before) {
          target[word] = now;
          grew = true;
        }
      }
      if (grew) waiting.add(to);
    }
  }
  const found: number[] = [];
  for (const [word, bits] of (reached[GOAL] ?? NOWHERE).entries()) {
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const ordinal = word * 32 + 31 - Math.clz32(rest & -rest);
      if (ordinal < documents) found.push(ordinal);
    }
  }
  return found;
}
