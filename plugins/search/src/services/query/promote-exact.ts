import { exactness, isDefinition, type ExactForms } from './exact-forms.js';
import { unpackPlace } from '../index/place.js';
import type { Hydrated } from './hydrate.js';
import type { Candidate } from './retrievers.js';

/** What the definition of a name gains over its mentions, in best scores: it comes before all of them. */
const DEFINITION = 1;
/** What a further chunk of it gains. */
const CONTINUED = 0.5;

/**
 * Raises the scores of the candidates of the head whose rows hold what the query spells out by up to the best score, and sorts
 * them among the rest: one that holds all of it comes before every one that holds none. Where the query is one name, its
 * definition rises by the best score once more. `bounded`: scores stay between 0 and 1, so that those of the others fall.
 */
export function promoteExact(
  head: readonly Hydrated[],
  rest: readonly Candidate[],
  forms: ExactForms,
  { bounded, pathOf }: { readonly bounded: boolean; readonly pathOf: (documentId: string) => string },
): Candidate[] {
  const best = Math.max(0, ...[...head, ...rest].map(({ score }) => score));
  const raised = head.map((candidate) => {
    const { row, doc_id } = candidate;
    const { symbol, parts } = unpackPlace(row.place);
    const named = [{ symbol, start: -1 }, ...parts].filter((part) => isDefinition(forms, part.symbol));
    const defined = named.some(({ start }) => start >= 0) ? DEFINITION : named.length > 0 ? CONTINUED : 0;
    const held = exactness(forms, { ...row, symbol, path: pathOf(doc_id) });
    return { candidate, more: (held + defined) * best };
  });
  const scale = bounded ? 1 + Math.max(0, ...raised.map(({ more }) => more)) : 1;
  return [...raised, ...rest.map((candidate) => ({ candidate, more: 0 }))]
    .map(({ candidate, more }) => ({
      more,
      raised: { ...candidate, score: (candidate.score + more) / scale },
    }))
    .sort((a, b) => b.raised.score - a.raised.score || b.more - a.more)
    .map(({ raised: one }) => one);
}
