import type { DocumentState } from '../../contract.js';
import { readable } from '../analysis/readable.js';
import { exactness, isDefinition, type ExactForms } from './exact-forms.js';
import { symbolIn, unpackPlace } from '../index/place.js';
import type { Hydrated } from './known-rows.js';
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
  { bounded, states }: { readonly bounded: boolean; readonly states: ReadonlyMap<string, DocumentState> },
): Candidate[] {
  const best = Math.max(0, ...[...head, ...rest].map(({ score }) => score));
  const raised = head.map((candidate) => {
    const { row, doc_id } = candidate;
    const { path = '', language = null } = states.get(doc_id) ?? {};
    const { title, place } = row;
    const text = readable(row.text, language);
    const held = exactness(forms, { title, text, symbol: symbolIn(place), path });
    return { candidate, more: (held + definition(forms, place)) * best };
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

/** What a chunk gains where the query is one name. */
function definition(forms: ExactForms, place: string): number {
  if (!forms.name) return 0;
  const { symbol, parts } = unpackPlace(place);
  const named = [{ symbol, start: -1 }, ...parts].filter((part) => isDefinition(forms, part.symbol));
  if (named.length === 0) return 0;
  return named.some(({ start }) => start >= 0) ? DEFINITION : CONTINUED;
}
