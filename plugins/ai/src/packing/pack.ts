import { estimateTokens } from '@service-mcp/core';
import type { Candidate, Section, SectionKind } from './candidate.js';
import { distinct, isRecord } from './distinct.js';
import type { Format } from './formats.js';
import { shorten } from './shorten.js';
import type { Tokenizer } from './tokenizer.js';

export interface Budget {
  /** Tokens of the whole context. */
  readonly maxTokens: number;
  readonly maxSections: number;
  /** Tokens of the answer as JSON by the estimate of core: the context, and an entry for each section. Default: any. */
  readonly maxEstimate?: number;
}

export interface Packed {
  readonly context: string;
  /** Of `context`: at most `maxTokens`. */
  readonly tokens: number;
  readonly sections: readonly Section[];
  /** Distinct candidates that did not fit. */
  readonly dropped: number;
}

/** What each section of a file leaves of the scores of its others, so that one file does not take the whole budget. */
const SAME_FILE = 0.9;
/** A section of fewer tokens says too little to be worth its heading. */
const MIN_TOKENS = 40;
/** A candidate above this share of the budget, and these tokens, is shortened to it: one must not be all there is. */
const MAX_SHARE = 0.5;
const ALWAYS_WHOLE = 400;
/** A token seldom has more characters: a section that needs more is taken for too long without counting. */
const MAX_CHARACTERS_A_TOKEN = 8;
/** Names, ids, numbers and marks of a section's entry, beside its texts. */
const ENTRY_TOKENS = 75;

/**
 * Fills a budget with candidates, the best first and without repeats. Those that fit are taken whole; those that would
 * take most of the budget, and the best record and the best of a file, are shortened to whole lines, or sentences of long ones, around their
 * focus; of the others that did not fit, the best is shortened into what is left. Sections of memory come first,
 * constraints and decisions at their head, then files in the order of their best section, each from its top. The same
 * candidates give the same context.
 */
export function pack(
  candidates: readonly Candidate[],
  { maxTokens, maxSections, maxEstimate = Infinity }: Budget,
  { format, tokenizer }: { readonly format: Format; readonly tokenizer: Tokenizer },
): Packed {
  const rest = distinct(candidates);
  const taken: Section[] = [];
  const missed: Candidate[] = [];
  const ofFile = new Map<string, number>();
  const around = tokenizer.count(format.open);
  let left = maxTokens - around - tokenizer.count(format.close);
  let estimateLeft = maxEstimate;
  const estimateOf = (candidate: Candidate, written: string) =>
    estimateTokens(JSON.stringify([written, candidate.title, candidate.path, candidate.reason])) +
    ENTRY_TOKENS;
  const fitInto = (room: number) => (candidate: Candidate) => {
    const written = format.section(candidate);
    if (maxEstimate < Infinity && estimateOf(candidate, written) > estimateLeft) return undefined;
    if (written.length > room * MAX_CHARACTERS_A_TOKEN) return undefined;
    const tokens = tokenizer.count(written + format.between);
    return tokens <= room ? { ...candidate, tokens } : undefined;
  };
  const take = (section: Section) => {
    taken.push(section);
    left -= section.tokens;
    if (maxEstimate < Infinity) estimateLeft -= estimateOf(section, format.section(section));
    ofFile.set(fileOf(section), (ofFile.get(fileOf(section)) ?? 0) + 1);
  };
  const largest = Math.max(ALWAYS_WHOLE, Math.floor(maxTokens * MAX_SHARE));
  while (rest.length > 0) {
    const [next] = rest.splice(bestOf(rest, ofFile), 1);
    if (!next) break;
    const hasRoom = taken.length < maxSections && left >= MIN_TOKENS;
    const room = Math.min(left, largest);
    let section = hasRoom ? fitInto(room)(next) : undefined;
    // The best record and the best of a file are worth their lines even in a small budget, before lesser ones fill that.
    const isBest = !taken.some((other) => isRecord(other) === isRecord(next));
    if (hasRoom && !section && (room === largest || isBest)) section = shorten(next, fitInto(room));
    if (section) take(section);
    else missed.push(next);
  }
  const [best] = missed;
  if (best && taken.length < maxSections && left >= MIN_TOKENS) {
    const section = shorten(best, fitInto(left));
    if (section && section.tokens >= MIN_TOKENS) {
      take(section);
      missed.shift();
    }
  }
  for (let dropped = missed.length; ; dropped++) {
    const sections = inOrder(taken);
    const last = sections.at(-1);
    if (!last) {
      const { empty } = format;
      return { context: empty, tokens: tokenizer.count(empty), sections, dropped };
    }
    const ofLast = tokenizer.count(format.section(last) + format.close);
    const tokens = sections.reduce((sum, section) => sum + section.tokens, around + ofLast - last.tokens);
    if (tokens <= maxTokens) {
      const written = sections.map((section) => format.section(section)).join(format.between);
      return { context: format.open + written + format.close, tokens, sections, dropped };
    }
    // What closes the context can have one token more after the last section: the one that was taken last gives way.
    taken.pop();
  }
}

/** Index of the candidate that adds most to what was taken. */
function bestOf(candidates: readonly Candidate[], ofFile: ReadonlyMap<string, number>): number {
  let [best, bestScore] = [0, -1];
  candidates.forEach((candidate, index) => {
    const score = candidate.score * SAME_FILE ** (ofFile.get(fileOf(candidate)) ?? 0);
    if (score > bestScore) [best, bestScore] = [index, score];
  });
  return best;
}

/** Records are files of their own. */
function fileOf({ projectId, path, id }: Candidate): string {
  return path === undefined ? (id ?? '') : `${projectId} ${path}`;
}

/** What binds an answer before what only explains it. */
const MEMORY_ORDER: readonly SectionKind[] = ['constraint', 'decision', 'lesson', 'memory'];

function inOrder(taken: readonly Section[]): Section[] {
  const firstOf = new Map<string, number>();
  taken.forEach((section, index) => {
    if (!firstOf.has(fileOf(section))) firstOf.set(fileOf(section), index);
  });
  const rank = ({ kind, path }: Section) =>
    path === undefined ? MEMORY_ORDER.indexOf(kind) : MEMORY_ORDER.length;
  return taken.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (firstOf.get(fileOf(a)) ?? 0) - (firstOf.get(fileOf(b)) ?? 0) ||
      (a.startLine ?? 0) - (b.startLine ?? 0),
  );
}
