import type { Candidate } from './candidate.js';
import { pack, type Budget } from './pack.js';

/** Of a budget: so much is for what binds, before what is nearer to the query and only tells what happened. */
const BINDING_SHARE = 2 / 3;

/** Candidates, those that bind and are in force raised by 1 where they fit into their part of a budget. */
export function bindingFirst(
  candidates: readonly Candidate[],
  budget: Budget,
  parts: Parameters<typeof pack>[2],
): Candidate[] {
  const binding = candidates.filter(
    ({ kind, isRecent, standing = 'verified' }) =>
      (kind === 'decision' || kind === 'constraint') && !isRecent && standing === 'verified',
  );
  const share = { ...budget, maxTokens: Math.floor(budget.maxTokens * BINDING_SHARE) };
  const first = new Set(pack(binding, share, parts).sections.map(({ id }) => id));
  return candidates.map((each) =>
    binding.includes(each) && first.has(each.id) ? { ...each, score: 1 + each.score } : each,
  );
}
