import type { PatternInput } from '../../schemas.js';
import { matchesIn } from './matches.js';
import type { Span } from './reading.js';
import { compilePattern, type CompiledPattern, type PatternOptions } from './regex.js';
import { regionsOf, type Region } from './regions.js';

/** The search in one document. Plain data, since it is sent to a thread. */
export interface MatchTask {
  readonly text: string;
  /** With `output_format: count` the matches are counted and no region is kept; `paths`: the first region alone. */
  readonly settings: PatternOptions &
    Pick<PatternInput, 'content_max_chars' | 'context_lines' | 'output_format'>;
  /** Regions to skip, then to return; all are counted. */
  readonly skip: number;
  readonly take: number;
  /** `Date.now()` at which to stop with the matches so far. */
  readonly deadline: number;
}

export interface Matched {
  /** Regions, or matches with `count`. */
  readonly total: number;
  readonly regions: readonly Region[];
  /** False if the deadline came first. */
  readonly whole: boolean;
}

const SPANS_PER_CLOCK_CHECK = 512;
let last: { readonly key: string; readonly compiled: CompiledPattern } | undefined;

/** Runs in a thread of Matcher. */
export function matchTask(task: MatchTask): Matched {
  const key = JSON.stringify(task.settings);
  if (last?.key !== key) last = { key, compiled: compilePattern(task.settings) };
  return matchDocument(task, last.compiled);
}

/** The matches of a pattern in one document, grouped into regions. */
export function matchDocument(task: MatchTask, compiled: CompiledPattern): Matched {
  const { text, settings, skip, take, deadline } = task;
  const { output_format, content_max_chars, context_lines } = settings;
  let whole = true;
  function* spans(): Generator<Span> {
    let seen = 0;
    for (const span of matchesIn(text, compiled)) {
      yield span;
      if (++seen % SPANS_PER_CLOCK_CHECK === 0 && Date.now() > deadline) {
        whole = false;
        return;
      }
    }
  }
  if (output_format === 'count') {
    let total = 0;
    for (const _span of spans()) total++;
    return { total, regions: [], whole };
  }
  const taken = output_format === 'paths' ? Math.min(take, Math.max(0, 1 - skip)) : take;
  const options = { maxChars: content_max_chars, contextLines: context_lines, skip, take: taken };
  const { total, regions } = regionsOf(text, spans(), options);
  return { total: output_format === 'paths' ? Math.min(total, 1) : total, regions, whole };
}
