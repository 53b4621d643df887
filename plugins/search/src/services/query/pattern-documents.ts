import type { DocumentState, IndexSource } from '../../contract.js';
import { stateFilter } from '../index/filter.js';
import { trigramPlan } from '../trigrams/plan.js';
import type { TrigramIndex } from '../trigrams/trigram-index.js';
import type { CompiledPattern } from './regex.js';
import type { Settings } from './settings.js';

/** A document that a pattern may match. */
interface Selected {
  readonly doc_id: string;
  readonly kind: string;
  readonly state: DocumentState;
}

/** Documents, in order of path. */
interface Selection {
  readonly documents: readonly Selected[];
  /** False where more wait to be indexed than are looked at. */
  readonly isWhole: boolean;
}

/** Ids of candidates in one question to a source. */
const CANDIDATES_AT_ONCE = 1000;
/** Documents of a source that are searched while they wait to be indexed, those changed last first. */
const MAX_WAITING = 1000;

/**
 * The documents that a pattern may match: what the trigram index cannot rule out, and what waits to
 * be indexed; all documents of the workspace where the pattern has no literal. Once `signal` aborts, those found until then.
 */
export async function selectDocuments(
  settings: Settings,
  { program }: CompiledPattern,
  { sources, trigrams }: { readonly sources: readonly IndexSource[]; readonly trigrams: TrigramIndex },
  signal: AbortSignal,
): Promise<Selection> {
  const { workspace_id, kinds } = settings;
  const isWanted = stateFilter(settings);
  const plan = trigramPlan(program);
  const asked = sources.filter((source) => source.kinds.some((kind) => kinds.includes(kind)));
  const selected: Selected[] = [];
  const select = (states: ReadonlyMap<string, DocumentState>) => {
    for (const [doc_id, state] of states)
      if (isWanted(state)) selected.push({ doc_id, kind: state.kind, state });
  };
  // First what waits: by the time it does not, it is in the index.
  const waiting =
    plan && (await Promise.all(asked.map((source) => source.newest(workspace_id, MAX_WAITING + 1))));
  const candidates = plan && (await trigrams.candidates(workspace_id, plan));
  for (const [at, source] of asked.entries()) {
    if (!candidates) {
      select(await source.statesIn(workspace_id, signal));
      continue;
    }
    const ids = [...new Set([...candidates, ...(waiting?.[at] ?? [])])];
    for (let from = 0; from < ids.length && !signal.aborted; from += CANDIDATES_AT_ONCE)
      select(await source.states(ids.slice(from, from + CANDIDATES_AT_ONCE)));
  }
  return {
    documents: selected.sort((a, b) => compare(a.state.path, b.state.path) || compare(a.doc_id, b.doc_id)),
    isWhole: !waiting?.some(({ length }) => length > MAX_WAITING),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
