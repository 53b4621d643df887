import type { Result } from '../connection/connection.js';
import { commandName } from '../command-name.js';
import { clip, count, plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

type SearchReply = Result<'search_hybrid'>;
type SearchResult = SearchReply['results'][number];
type Highlight = SearchResult['highlights'][number];

interface PrintOptions {
  readonly terminal: Terminal;
  /** Most lines of a result. */
  readonly lines: number;
  /** Flags that lead to the service, for the next command. */
  readonly target: string;
}

/** Prints results on stdout, each with up to `lines` lines, and remarks about the index on stderr. */
export function printResults(reply: SearchReply, { terminal, lines, target }: PrintOptions): void {
  reply.results.forEach((result, i) => {
    if (i > 0) terminal.out();
    terminal.out(heading(result, terminal));
    if (lines > 0) excerpt(result, lines, terminal).forEach((line) => terminal.out(line));
  });
  if (reply.facets) printFacets(reply.facets, terminal);
  for (const remark of remarks(reply, target)) terminal.say(terminal.shade('yellow', remark));
  if (reply.results.length === 0) return;
  const total = `${reply.total_is_lower_bound ? 'at least ' : ''}${plural(reply.total, 'result')}`;
  const shown = reply.has_more ? `${count(reply.results.length)} of ${total}; more with --limit` : total;
  terminal.note(`\n${shown}, ${count(reply.took_ms)} ms`);
}

/** Counts by each facet, a value a line. */
function printFacets(facets: NonNullable<SearchReply['facets']>, terminal: Terminal): void {
  for (const [name, counts = []] of Object.entries(facets)) {
    terminal.out(`\n${terminal.paint('bold', name)}`);
    const width = Math.max(0, ...counts.map((each) => count(each.count).length));
    for (const each of counts)
      terminal.out(`  ${count(each.count).padStart(width)}  ${printable(each.value) || '(root)'}`);
  }
}

function heading(result: SearchResult, terminal: Terminal): string {
  const { paint } = terminal;
  const { start_line: from, end_line: to } = result;
  const lines = !from ? '' : !to || to === from ? `:${from}` : `:${from}-${to}`;
  const path = printable(result.path || result.title);
  const place = `${paint('bold', paint('cyan', path))}${paint('cyan', lines)}`;
  const score = result.score.toFixed(3);
  const room = Math.max(20, terminal.columns - path.length - lines.length - score.length - 4);
  const title = isFile(result) || result.title === result.path ? '' : printable(result.title);
  // A long symbol differs at its end, a title at its start.
  const name = title === '' ? clip(printable(result.symbol ?? ''), room, 0) : clip(title, room);
  const stale = result.stale ? `  ${paint('yellow', 'changed since it was indexed')}` : '';
  return `${place}${name === '' ? '' : `  ${name}`}  ${paint('dim', score)}${stale}`;
}

/** Other kinds are records, whose path says little of them. */
const isFile = ({ kind }: SearchResult): boolean => kind === 'code' || kind === 'doc';

/** Up to `limit` lines around the first match, numbered as in the file, with the matches highlighted. */
function excerpt(result: SearchResult, limit: number, terminal: Terminal): string[] {
  const { paint } = terminal;
  const lines = splitLines(result.content);
  while (lines.length > 1 && lines.at(-1)?.text.trim() === '') lines.pop();
  const hit = result.highlights[0];
  const hitLine = hit ? lines.findIndex(({ start, text }) => hit.start <= start + text.length) : 0;
  const from = Math.max(0, Math.min(hitLine - 2, lines.length - limit));
  const first = result.start_line ?? 1;
  const gutter = String(first + Math.min(lines.length, from + limit)).length;
  const shown = lines.slice(from, from + limit).map((line, i) => {
    const number = String(first + from + i).padStart(gutter);
    const text = marked(line, result.highlights, Math.max(40, terminal.columns - gutter - 5), terminal);
    return `  ${paint('dim', `${number}│`)} ${text}`.trimEnd();
  });
  const left = lines.length - from - shown.length;
  const more = left > 0 ? plural(left, 'more line') : result.truncated ? 'cut here' : '';
  return more === '' ? shown : [...shown, `  ${' '.repeat(gutter)}${paint('dim', `  … ${more}`)}`];
}

interface Line {
  readonly start: number;
  readonly text: string;
}

function splitLines(content: string): Line[] {
  let start = 0;
  return content.split('\n').map((text) => {
    const line = { start, text: text.replace(/\r$/, '') };
    start += text.length + 1;
    return line;
  });
}

/** One line with its matches in colour, cut to `width` characters. */
function marked(line: Line, highlights: readonly Highlight[], width: number, terminal: Terminal): string {
  const end = line.start + line.text.length;
  let at = line.start;
  let room = width;
  let drawn = '';
  const draw = (until: number, lit: boolean): void => {
    const raw = printable(line.text.slice(at - line.start, until - line.start));
    const text = room > 0 ? clip(raw, room) : '';
    room -= Array.from(text).length;
    drawn += lit && text !== '' ? terminal.paint('bold', terminal.paint('red', text)) : text;
    at = until;
  };
  const inside = highlights
    .filter((h) => h.start < end && h.end > line.start)
    .toSorted((a, b) => a.start - b.start);
  for (const highlight of inside) {
    if (highlight.start > at) draw(Math.min(highlight.start, end), false);
    if (highlight.end > at && at < end) draw(Math.min(highlight.end, end), true);
  }
  if (at < end) draw(end, false);
  return drawn;
}

/** Reasons for missing results: the state of the index and the warnings of the service. */
function remarks({ results, index, warnings }: SearchReply, target: string): string[] {
  const { state, pending } = index;
  const none = results.length === 0;
  const byState = {
    not_indexed: `Nothing was ingested here yet. Start with: ${commandName()} ingest${target} DIR`,
    empty: `Nothing is left in the index. Ingest again with: ${commandName()} ingest${target} DIR`,
    indexing: `${none ? 'Nothing found so far: ' : ''}${plural(pending, 'file')} still wait${pending === 1 ? 's' : ''} to be indexed.`,
    degraded: `${none ? 'Nothing found, but the' : 'The'} index is damaged and may miss results. Repair it with: ${commandName()} doctor${target} --repair`,
    ready: none ? 'Nothing matches. Everything is indexed; try other words, or another --mode.' : '',
  };
  // The service's own warnings already explain an index that cannot answer.
  const explained = warnings.length > 0 && state !== 'ready' && state !== 'indexing';
  return [...warnings.map(printable), explained ? '' : byState[state]].filter((line) => line !== '');
}
