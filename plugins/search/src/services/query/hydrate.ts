import type { DocumentState, IndexSource } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import { eachTerm, type QueryTerms } from '../analysis/analyse.js';
import { readable } from '../analysis/readable.js';
import { LineMap } from '../chunking/line-map.js';
import { unpackPlace, type Place } from '../index/place.js';
import type { PageRow } from '../index/tables.js';
import { currentTexts } from './current-states.js';
import { exactSpans, type ExactForms } from './exact-forms.js';
import type { Hydrated } from './known-rows.js';
import type { Span } from './reading.js';
import { nameHit } from './name-hit.js';
import { resultOf, type Stretch } from './result.js';
import type { Settings } from './settings.js';

type Placed = Place & Pick<PageRow, 'text'>;

/** What the highlights of results are made from. */
export interface Wanted {
  readonly query: QueryTerms;
  readonly forms: ExactForms;
}

/** Results with texts and highlights, and the terms of the query that were seen in the texts. */
export async function resultsOf(
  page: readonly Hydrated[],
  wanted: Wanted,
  states: ReadonlyMap<string, DocumentState>,
  settings: Settings,
  sources: readonly IndexSource[],
): Promise<{ readonly results: SearchResult[]; readonly seen: ReadonlySet<string> }> {
  const texts = settings.context_lines > 0 ? await currentTexts(sources, page) : new Map<string, string>();
  const seen = new Set<string>();
  const results = page.flatMap(({ id, doc_id, kind, score, scores, row }) => {
    const state = states.get(doc_id);
    if (!state) return [];
    const place = unpackPlace(row.place);
    const { shift, ...stretch } = around(
      { ...place, text: row.text },
      texts.get(doc_id),
      settings.context_lines,
    );
    const isFull = settings.output_format === 'full';
    const read = isFull ? readable(stretch.text, state.language) : '';
    const exact = exactSpans(wanted.forms, read);
    const words = termSpans(read, wanted.query, seen);
    const back = (spans: readonly Span[]) => spans.map((span) => moved(span, -shift));
    const hit = nameHit(
      { ...place, text: readable(row.text, state.language) },
      wanted.forms,
      back(exact),
      back(words),
    );
    const { symbol, title } = hit?.part ?? { symbol: place.symbol, title: row.title };
    const focus = hit?.focus ? moved(hit.focus, shift) : exact[0];
    const own = { id, doc_id, kind, score, scores, symbol, title, sha256: place.sha256 };
    return [resultOf(state, { ...stretch, focus }, merge([...exact, ...words]), settings, own)];
  });
  return { results, seen };
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

/** A chunk that begins at `shift` of its stretch. */
type Surrounded = Stretch & { readonly shift: number };

/** A chunk with the lines around it, or alone if its document has changed there. */
function around(row: Placed, document: string | undefined, more: number): Surrounded {
  const at = { line: row.start_line, column: row.start_column, endLine: row.end_line };
  const alone = { text: row.text, ...at, shift: 0 };
  if (document === undefined || document.slice(row.start, row.end) !== row.text) return alone;
  const lines = new LineMap(document);
  const line = Math.max(1, row.start_line - more);
  const endLine = Math.min(lines.count, row.end_line + more);
  return {
    text: document.slice(lines.startOfLine(line), lines.endOfLine(endLine)),
    line,
    column: 1,
    endLine,
    shift: row.start - lines.startOfLine(line),
  };
}

/** The spans of the query's terms in a text; the terms are added to `seen`. */
export function termSpans(text: string, query: QueryTerms, seen: Set<string>): Span[] {
  const spans = termMatches(text, query);
  for (const { term } of spans) seen.add(term);
  return spans.map(({ start, end }) => ({ start, end }));
}

export interface TermSpan extends Span {
  readonly term: string;
}

/** Where a text has the terms of a query, in order. */
export function termMatches(text: string, query: QueryTerms): TermSpan[] {
  const wanted = new Set(query.terms);
  const spans: TermSpan[] = [];
  eachTerm(text, (term, start, end, stopWord) => {
    if (wanted.has(term) && stopWord === query.onlyStopWords) spans.push({ term, start, end });
  });
  return spans;
}

/** Spans in order, merged where they overlap. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { start: last.start, end: span.end };
  }
  return merged;
}
