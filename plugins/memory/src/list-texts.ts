import { oneLine, pageText, type PageOf } from '@service-mcp/core';
import { NOTHING_HOLDS } from '@service-mcp/plugin-search/contract';
import type { AskedIndex, Decision, MemoryHit, TimelineEntry } from './answers.js';
import { isPeriodNote } from './services/period-ranking.js';
import { matchingSentences } from './services/sentences.js';
import { AS_OF_KNOWN, isInForce, standingOf } from './standing.js';

const MAX_LINKS = 3;
/** What a reason is headed by in the text of a decision. */
const LABEL = /^(?:rationale|reasons?|why)\s*:\s*/iu;

/** Results of a search: when, what, its title, id and the sentences that matched; then what to call next. */
export function searchText(
  {
    results,
    total,
    index,
    warnings,
  }: {
    readonly results: readonly MemoryHit[];
    readonly total: number;
    readonly index: AskedIndex;
    readonly warnings: readonly string[];
  },
  { limit, content_max_chars }: { readonly limit: number; readonly content_max_chars: number },
): string {
  const newest = newestOf(
    results.filter((hit) => hit.type === 'decision' && isInForce(hit)),
    ({ occurred_at }) => occurred_at,
  );
  const blocks = results.map((hit) => {
    const { type, title, content, highlights, occurred_at, id, truncated } = hit;
    const sentences = matchingSentences(content, highlights, content_max_chars / 2);
    const said = truncated && !sentences.endsWith('…') ? `${sentences} …` : sentences;
    const marks = [type, ...standingOf(hit), ...(hit === newest ? ['the newest'] : [])].join(', ');
    return `${day(occurred_at)} ${marks}: ${oneLine(title)} [${id}]${repeats(said, title) ? '' : `\n${said}`}`;
  });
  const notes = [
    ...(results.length === 0 ? ['No results.'] : []),
    ...indexNotes(index),
    ...warnings.filter((warning) => results.length === 0 || isPeriodNote(warning) || isOfWords(warning)),
    ...(total > limit ? [`${total - limit} more: raise limit.`] : []),
  ];
  return [...blocks, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n');
}

/** A page of decisions: when, title, id, what was decided and why; then what the index did not have yet. */
export function decisionsText(
  {
    index,
    superseded = 0,
    ...page
  }: PageOf<Decision> & {
    readonly index?: AskedIndex | undefined;
    readonly superseded?: number | undefined;
  },
  { query, as_of }: { readonly query?: string | undefined; readonly as_of?: string | undefined },
): string {
  const inForce = page.items.filter(isInForce);
  const newest = page.page === 1 ? newestOf(inForce, ({ decided_at }) => decided_at) : undefined;
  const text = pageText(page, (decision) => {
    const { id, title, summary, rationale, decided_at, superseded_by } = decision;
    const marks = [
      ...standingOf(decision),
      ...(superseded_by === null ? [] : [`by ${superseded_by}`]),
      ...(decision === newest ? ['the newest'] : []),
    ];
    const why = rationale.replace(summary, '').trim().replace(LABEL, '');
    const said = [repeats(summary, title) ? '' : summary, why === '' ? '' : `Why: ${why}`].filter(Boolean);
    const about = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
    return `${day(decided_at)} ${oneLine(title)}${about} [${id}]${said.length === 0 ? '' : `\n${said.join(' ')}`}`;
  });
  const notes =
    page.total > 0
      ? []
      : [
          ...(query === undefined || index?.state !== 'ready'
            ? []
            : ['No decision matches the query: without it, all are listed.']),
          ...(as_of === undefined ? [] : [AS_OF_KNOWN]),
        ];
  if (superseded > 0) notes.push(`${superseded} more of that time, superseded since: status superseded.`);
  return [text, ...notes, ...(index ? indexNotes(index) : [])].join('\n');
}

/** A word that memory does not have is often why an answer is not in it. */
const isOfWords = (warning: string) => warning.startsWith(NOTHING_HOLDS);

function indexNotes({ state, pending }: AskedIndex): string[] {
  return state === 'ready' ? [] : [`Index: ${state}, ${pending} pending.`];
}

/** A page of the timeline: when, what, its title, id and first sentence, and what it is linked to. */
export function timelineText(page: PageOf<TimelineEntry>): string {
  const decisions = page.items.filter(
    ({ type, links }) => type === 'decision' && !links.some(({ relation }) => relation === 'superseded_by'),
  );
  const newest = page.page === 1 ? newestOf(decisions, ({ occurred_at }) => occurred_at) : undefined;
  return pageText(page, (entry) => {
    const { occurred_at, type, title, summary, id, links } = entry;
    const shown = links.slice(0, MAX_LINKS).map((link) => `${link.relation} ${link.id}`);
    if (links.length > MAX_LINKS) shown.push(`${links.length - MAX_LINKS} more`);
    const related = shown.length === 0 ? '' : ` (${shown.join(', ')})`;
    const said = repeats(summary, title) ? '' : `: ${summary}`;
    const mark = entry === newest ? ', the newest' : '';
    return `${occurred_at.slice(0, 16).replace('T', ' ')} ${type}${mark}: ${oneLine(title)}${said}${related} [${id}]`;
  });
}

const day = (time: string) => time.slice(0, 10);
const repeats = (said: string, title: string) => said === '' || said.trim() === title.trim();

/** The newest of several; undefined of one alone, which says nothing. */
function newestOf<T>(items: readonly T[], time: (item: T) => string): T | undefined {
  if (items.length < 2) return undefined;
  return items.reduce((newest, item) => (time(item) > time(newest) ? item : newest));
}
