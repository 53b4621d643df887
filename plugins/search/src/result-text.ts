import { oneLine } from '@service-mcp/core';
import type { PatternInput, SearchInput, SearchOutput, SearchResult } from './schemas.js';
import { linesToRead } from './services/analysis/cell-lines.js';

type Input = SearchInput | PatternInput;

/** How warnings begin that name words of the query. */
export const NOTHING_HOLDS = 'Nothing holds ';

/** A search answer as text for a model: a block per hit, then the state of the answer, then what to call next. */
export function resultText(output: SearchOutput, input: Input): string {
  const projects = [...new Set(output.results.flatMap(({ project_id: id }) => id ?? []))];
  const paths = input.output_format === 'paths';
  const blocks = output.results.map((result) => {
    const { start_line: start, end_line: end, symbol } = result;
    const project = projects.length > 1 ? ` [${projects.indexOf(result.project_id ?? '') + 1}]` : '';
    if (paths) return `${nameOf(result)}${project}${marksOf(result)}`;
    const about = symbol === undefined ? '' : ` ${symbol}`;
    return `=== ${nameOf(result)}:${start}-${end}${about}${project}${marksOf(result)}\n${shownOf(result, output)}`;
  });
  const state = stateOf(output, input);
  // Before the hits, which may look like an answer to what nothing holds.
  const missed = blocks.length === 0 ? [] : state.filter(isOfWords);
  const notes = state.filter((note) => !missed.includes(note));
  return [missed, [blocks.join(paths ? '\n' : '\n\n')], [...notes, ...nextCalls(output, input, projects)]]
    .map((lines) => lines.join('\n'))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What a model reads of a hit. A pattern matches what is stored. */
function shownOf({ content, language }: SearchResult, { mode }: SearchOutput): string {
  return (mode === 'pattern' ? content : linesToRead(content, language)).trimEnd();
}

/** A file is named by its path, a record by its title too. */
function nameOf({ kind, path, title }: SearchResult): string {
  const isFile = kind === 'code' || kind === 'doc';
  return isFile || title === '' || title === path ? path : `${path} ${oneLine(title)}`;
}

function marksOf({ truncated, stale, standing }: SearchResult): string {
  const marks = [
    ...(standing === undefined ? [] : [standing]),
    ...(truncated ? ['truncated'] : []),
    ...(stale ? ['changed since it was indexed'] : []),
  ];
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`;
}

/** The limits of the answer. An answer without a hit always says the state of the index. */
function stateOf(output: SearchOutput, { output_format, offset }: Input): string[] {
  const { mode, results, total, total_is_lower_bound: more, index, warnings } = output;
  const count = `${more ? 'at least ' : ''}${total}`;
  const found = results.length > 0;
  const complete = index.state === 'ready' && index.pending === 0;
  const waits = index.pending > 0 ? `, ${index.pending} pending: search again once they are indexed` : '';
  return [
    ...(output_format === 'count' ? [`Total: ${count}`] : []),
    ...facetLines(output),
    ...(found || output_format === 'count'
      ? []
      : [total > 0 ? `No results from offset ${offset}, of ${count}.` : 'No results.']),
    ...(found && complete ? [] : [`Index: ${index.state}${waits}.`]),
    ...warnings
      // In hybrid the others are about one of two retrievers, and the hits came from the other.
      .filter((warning) => !(found && complete && mode === 'hybrid') || warning.startsWith(NOTHING_HOLDS))
      .map((warning) => `${WARNING}${warning}`),
  ];
}

const WARNING = 'Warning: ';
const isOfWords = (note: string) => note.startsWith(WARNING + NOTHING_HOLDS);

/** A line for each facet: `languages: typescript 12, python 3`. */
function facetLines({ facets = {}, total_is_lower_bound: more }: SearchOutput): string[] {
  return Object.entries(facets).map(([name, counts]) => {
    const shown = counts.map(({ value, count }) => `${value === '' ? '(root)' : value} ${count}`);
    return `${more ? 'At least, by' : 'By'} ${name}: ${shown.join(', ') || 'none'}`;
  });
}

function nextCalls(output: SearchOutput, input: Input, projects: readonly string[]): string[] {
  const { results, has_more: more, total, total_is_lower_bound: atLeast } = output;
  const ids = projects.map((id, index) => (projects.length > 1 ? `[${index + 1}] ${id}` : id)).join(', ');
  const of = input.output_format === 'paths' ? '' : ` of ${atLeast ? 'at least ' : ''}${total}`;
  return [
    ...(ids !== '' && input.project_id === undefined ? [`files_read project_id ${ids}`] : []),
    ...(more ? [`More: offset ${input.offset + results.length}${of}`] : []),
  ];
}
