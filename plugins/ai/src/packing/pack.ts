import type { Candidate, Section } from './candidate.js';
import { distinct } from './distinct.js';
import type { Format } from './formats.js';
import { shorten } from './shorten.js';
import type { Tokenizer } from './tokenizer.js';

export interface Budget {
  /** Tokens of the whole context. */
  readonly maxTokens: number;
  readonly maxSections: number;
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

/**
 * Fills a budget with candidates, the best first: without repeats, whole where they fit, else shortened to whole lines
 * around their focus. Sections of memory come first, then files in the order of their best section, each from its top.
 * The same candidates give the same context.
 */
export function pack(
  candidates: readonly Candidate[],
  { maxTokens, maxSections }: Budget,
  { format, tokenizer }: { readonly format: Format; readonly tokenizer: Tokenizer },
): Packed {
  const rest = distinct(candidates);
  const count = (candidate: Candidate) => tokenizer.count(`${format.section(candidate)}\n\n`);
  const taken: Section[] = [];
  const ofFile = new Map<string, number>();
  let left = maxTokens - tokenizer.count(format.whole([]));
  let dropped = 0;
  while (rest.length > 0) {
    const [next] = rest.splice(bestOf(rest, ofFile), 1);
    if (!next) break;
    const fitting = taken.length < maxSections && left >= MIN_TOKENS ? fit(next, left, count) : undefined;
    if (!fitting) {
      dropped += 1;
      continue;
    }
    taken.push(fitting);
    left -= fitting.tokens;
    ofFile.set(fileOf(next), (ofFile.get(fileOf(next)) ?? 0) + 1);
  }
  for (;;) {
    const sections = inOrder(taken);
    const context = sections.length === 0 ? '' : format.whole(sections.map((each) => format.section(each)));
    const tokens = context === '' ? 0 : tokenizer.count(context);
    if (tokens <= maxTokens) return { context, tokens, sections, dropped };
    // Tokens can merge across sections, and rarely split: the last one gives way.
    taken.pop();
    dropped += 1;
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

function fit(
  candidate: Candidate,
  left: number,
  count: (candidate: Candidate) => number,
): Section | undefined {
  const tokens = count(candidate);
  if (tokens <= left) return { ...candidate, tokens };
  const shorter = shorten(candidate, left, count);
  return shorter && shorter.tokens >= MIN_TOKENS ? shorter : undefined;
}

/** Records are files of their own. */
function fileOf({ projectId, path, id }: Candidate): string {
  return path === undefined ? (id ?? '') : `${projectId} ${path}`;
}

function inOrder(taken: readonly Section[]): Section[] {
  const firstOf = new Map<string, number>();
  taken.forEach((section, index) => {
    if (!firstOf.has(fileOf(section))) firstOf.set(fileOf(section), index);
  });
  const isFile = ({ path }: Section) => Number(path !== undefined);
  return taken.toSorted(
    (a, b) =>
      isFile(a) - isFile(b) ||
      (firstOf.get(fileOf(a)) ?? 0) - (firstOf.get(fileOf(b)) ?? 0) ||
      (a.startLine ?? 0) - (b.startLine ?? 0),
  );
}
