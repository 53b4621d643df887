import { isFolded, OP, type Instruction, type Program } from './program.js';

/** Longer programs are not analysed: the time grows with the square. */
const MAX_INSTRUCTIONS = 500;
const LINE_FEED = 10;

/** Finds the longest text that every match has; undefined where there is none of two characters or more. */
export function requiredLiteral(program: Program): RegExp | undefined {
  const { inst } = program;
  if (inst.length > MAX_INSTRUCTIONS) return undefined;
  const required = inst.map((instruction, pc) => isSingle(instruction) && !reachesMatch(program, pc));
  let best: readonly Instruction[] = [];
  for (const [pc, isRequired] of required.entries()) {
    if (!isRequired) continue;
    const run = [];
    const seen = new Set<number>();
    for (let next = pc; required[next] === true && !seen.has(next);) {
      seen.add(next);
      const instruction = inst[next] as Instruction; // as it is required
      run.push(instruction);
      next = nextCharacter(inst, instruction.out);
    }
    if (run.length > best.length) best = run;
  }
  if (best.length < 2) return undefined;
  const text = String.fromCodePoint(...best.map(({ runes }) => runes[0] ?? 0));
  const source = text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  return new RegExp(source, best.some(isFolded) ? 'giu' : 'gu');
}

/** Takes one character; with folding, one whose cases are known to V8 and to RE2 alike. A line feed may be `\r\n`. */
function isSingle(instruction: Instruction): boolean {
  const { op, runes } = instruction;
  if ((op !== OP.rune && op !== OP.rune1) || runes.length !== 1) return false;
  const rune = runes[0] ?? 0;
  if (rune === LINE_FEED) return false;
  return isFolded(instruction) ? rune < 128 : rune < 0xd800 || rune > 0xdfff;
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
