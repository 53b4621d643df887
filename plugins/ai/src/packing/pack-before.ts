import { closingOf, type Closing } from '../closing.js';
import type { Candidate } from './candidate.js';
import { pack, type Budget, type Packed } from './pack.js';

/**
 * Packs as `pack` does, and leaves room in the budget for the notes that stand behind the context, where it has any: they
 * depend on what was packed.
 */
export function packBefore(
  { hasNotes, ...closing }: Omit<Closing, 'sections' | 'maxTokens'> & { readonly hasNotes: boolean },
  candidates: readonly Candidate[],
  budget: Budget,
  parts: Parameters<typeof pack>[2],
): Packed {
  for (let { maxTokens } = budget; ;) {
    const packed = pack(candidates, { ...budget, maxTokens }, parts);
    const dropped = packed.dropped + closing.dropped;
    const sections = packed.sections.map(({ path, projectId }) => ({
      ...(path !== undefined && { path }),
      ...(projectId !== undefined && { project_id: projectId }),
    }));
    const text = hasNotes ? closingOf({ ...closing, sections, dropped, maxTokens: budget.maxTokens }) : '';
    // One more: the end of the context may be another token with a line end behind it.
    const room = text === '' ? 0 : parts.tokenizer.count(`\n\n${text}`) + 1;
    if (packed.tokens + room <= budget.maxTokens || sections.length === 0) return { ...packed, dropped };
    maxTokens = Math.min(maxTokens - 1, budget.maxTokens - room);
  }
}
