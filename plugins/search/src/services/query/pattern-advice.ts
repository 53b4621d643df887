import { ServiceError } from '@service-mcp/core';
import type { Found, Settings } from './settings.js';

/** An expression as other languages write it: `/name/i`. */
const DELIMITED = /^\/(.+)\/[a-z]*$/su;
const LINE_END = /\\[nr]|[\n\r]/u;
const LETTER = /\p{L}/u;

type Change = Partial<Pick<Settings, 'query' | 'case_sensitive' | 'multiline'>>;

/** Warnings for an expression that matches nothing: which small changes of it match, and where first. */
export async function patternAdvice(
  { query, case_sensitive, multiline }: Settings,
  search: (change: Change) => Promise<Found>,
): Promise<string[]> {
  const inner = DELIMITED.exec(query)?.[1];
  const changes: ReadonlyArray<readonly [string, Change]> = [
    ...(!multiline && LINE_END.test(query) ? ([['With multiline true', { multiline: true }]] as const) : []),
    ...(case_sensitive && LETTER.test(query)
      ? ([['With case_sensitive false', { case_sensitive: false }]] as const)
      : []),
    ...(inner === undefined ? [] : ([['Without the slashes around it', { query: inner }]] as const)),
  ];
  const warnings: string[] = [];
  for (const [how, change] of changes) {
    const [first] = (await search(change).catch(refused)).results;
    if (first)
      warnings.push(`${how} the expression matches, first in ${first.path}, line ${first.start_line}.`);
  }
  return warnings;
}

/** A part of a valid expression may be malformed by itself. */
function refused(error: unknown): { readonly results: Found['results'] } {
  if (error instanceof ServiceError) return { results: [] };
  throw error;
}
