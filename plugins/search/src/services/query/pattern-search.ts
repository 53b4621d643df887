import { timeLimit } from '@service-mcp/core';
import type { DocumentState, IndexSource } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import { among } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { partAt } from './name-hit.js';
import { unpackPlace, type Place } from '../index/place.js';
import { readRows } from '../index/read-rows.js';
import type { ChunkRow } from '../index/tables.js';
import type { TrigramIndex } from '../trigrams/trigram-index.js';
import { countFacets, type FacetRow } from './facets.js';
import type { Matcher } from './matcher.js';
import { patternAdvice } from './pattern-advice.js';
import { selectDocuments } from './pattern-documents.js';
import { compilePattern, mayTakeNothing } from './regex.js';
import { resultOf } from './result.js';
import type { TextCache } from './text-cache.js';
import type { Found, Settings } from './settings.js';

export interface PatternParts {
  readonly sources: readonly IndexSource[];
  readonly trigrams: TrigramIndex;
  readonly matcher: Matcher;
  readonly texts: TextCache;
  /** For the whole search; results found by then are the answer. */
  readonly timeoutMs: number;
}

/** Documents read at once, at first and at most, and the code units of text after which a batch stops growing. */
const INITIAL_BATCH = 32;
const LARGEST_BATCH = 512;
const ENOUGH_TEXT = 4 * 1024 * 1024;
/** Time for counting on after the page is full. */
const COUNT_ON_MS = 5;
const MAX_BUSY_MS = 3;
/** For each change that is tried of an expression without a match. */
const ADVICE_TIMEOUT_MS = 500;

/** A result, and where its first match begins in its document, of which this is the current text. */
interface Match {
  readonly result: SearchResult;
  readonly doc_id: string;
  readonly sha256: string;
  readonly at: number;
}

/**
 * Regular-expression search over the current texts of whole documents, indexed or not yet, in order of path and line.
 * `total` counts results, but with `output_format: count` every match, as `grep --count-matches` would. `tables`: of the
 * index, absent where nothing is indexed. Throws INVALID_ARGUMENT.
 */
export async function patternSearch(
  settings: Settings,
  tables: IndexTables | undefined,
  parts: PatternParts,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const found = await findMatches(settings, tables, parts, signal);
  if (found.total > 0 || found.total_is_lower_bound) return found;
  const first = { limit: 1, offset: 0, output_format: 'paths' as const, facets: [] };
  const briefly = { ...parts, timeoutMs: Math.min(parts.timeoutMs, ADVICE_TIMEOUT_MS) };
  const advice = await patternAdvice(settings, (change) =>
    findMatches({ ...settings, ...first, ...change }, tables, briefly, signal),
  );
  return { ...found, warnings: [...found.warnings, ...advice] };
}

async function findMatches(
  settings: Settings,
  tables: IndexTables | undefined,
  parts: PatternParts,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { limit, offset, output_format, facets = [] } = settings;
  const withFacets = facets.length > 0;
  const pattern = compilePattern(settings);
  const started = Date.now();
  const deadline = started + parts.timeoutMs;
  const pause = pauser();
  const until = timeLimit(parts.timeoutMs, ...(signal ? [signal] : []));
  const { documents: selected, isWhole } = await selectDocuments(settings, pattern, parts, until);
  signal?.throwIfAborted();
  const found: Match[] = [];
  const facetRows: FacetRow[] = [];
  let total = 0;
  let seen = 0;
  let cut = until.aborted;
  let size = INITIAL_BATCH;
  for (let at = 0; at < selected.length; at = seen) {
    signal?.throwIfAborted();
    const now = Date.now();
    const full = total > offset + limit && output_format !== 'count' && !withFacets;
    if (now > deadline || (full && now > started + COUNT_ON_MS)) break;
    const batch = selected.slice(at, at + size);
    const texts = await parts.texts.read(batch);
    size = nextSize(size, texts.values());
    for (const { doc_id, state } of batch) {
      if (Date.now() > deadline) break;
      await pause();
      seen++;
      const text = texts.get(doc_id);
      if (text === undefined) continue;
      const take = limit - found.length;
      const skip = Math.max(0, offset - total);
      const matched = await parts.matcher.match({ text, settings, skip, take, deadline }, pattern, signal);
      if (!matched?.whole) cut = true;
      if (!matched) continue;
      for (const region of matched.regions) {
        const at = region.start + (region.spans[0]?.start ?? 0);
        const { kind, title, sha256 } = state;
        const own = { id: `${doc_id}:${at}`, doc_id, kind, score: 1, scores: {}, title, sha256 };
        found.push({ result: resultOf(state, region, region.spans, settings, own), doc_id, sha256, at });
      }
      total += matched.total;
      if (withFacets && matched.total > 0) facetRows.push(facetRowOf(state, matched.total));
    }
  }
  const timedOut = cut || (seen < selected.length && Date.now() > deadline);
  return {
    results: tables ? await withSymbols(found, tables) : found.map(({ result }) => result),
    total,
    total_is_lower_bound: cut || !isWhole || seen < selected.length,
    ...(withFacets && { facets: countFacets(facets, facetRows) }),
    warnings: [
      ...(timedOut ? [OUT_OF_TIME] : []),
      ...(isWhole ? [] : [MANY_WAIT]),
      ...(total === 0 && mayTakeNothing(pattern) ? [EMPTY_MATCHES] : []),
    ],
  };
}

const OUT_OF_TIME =
  'The search ran out of time and its results are incomplete: narrow it by filters.path_prefix or filters.languages.';
const MANY_WAIT =
  'More waits to be indexed than a pattern looks at: what was changed before the newest thousand may be missing. Ask again when index.pending is lower.';
const EMPTY_MATCHES =
  'The expression matches empty text, and empty matches are not reported: ask for a character, such as \\n\\n with multiline true for empty lines, or ^\\s+$ for lines of white space.';

function facetRowOf({ projectId, kind, path, language }: DocumentState, count: number): FacetRow {
  return { project_id: projectId ?? '', kind, path, lang: language ?? '', count };
}

function nextSize(size: number, batch: Iterable<string>): number {
  let length = 0;
  for (const text of batch) length += text.length;
  return length > ENOUGH_TEXT ? Math.max(1, size >> 1) : Math.min(LARGEST_BATCH, size * 2);
}

/** Matching small texts runs on this thread: other calls get their turn after each few milliseconds of it. */
function pauser(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_BUSY_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}

/** Adds the symbol and title of the part of a chunk that each first match lies in; none of a text that was changed since. */
async function withSymbols(found: readonly Match[], tables: IndexTables): Promise<SearchResult[]> {
  if (found.length === 0) return [];
  const ids = new Set(found.map(({ doc_id }) => doc_id));
  const query = tables.chunks.query().where(among('doc_id', ids)).select(['doc_id', 'place', 'title']);
  const chunks = new Map([...ids].map((id) => [id, [] as Array<Place & Pick<ChunkRow, 'title'>>]));
  for (const { doc_id, place, title } of await readRows<Pick<ChunkRow, 'doc_id' | 'place' | 'title'>>(query))
    chunks.get(doc_id)?.push({ title, ...unpackPlace(place) });
  return found.map(({ result, doc_id, sha256, at }) => {
    const own = chunks
      .get(doc_id)
      ?.find((chunk) => chunk.sha256 === sha256 && chunk.start <= at && at < chunk.end);
    if (!own) return result;
    const { symbol, title } = partAt(own.parts, at - own.start) ?? own;
    return { ...result, title, ...(symbol !== '' && { symbol }) };
  });
}
