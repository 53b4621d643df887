import type { Part } from '../chunking/chunk.js';

/** Where a chunk lies in its document. Lines and columns count from 1, columns and offsets in UTF-16 code units. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column: number;
  /** Of the text that was indexed. */
  readonly sha256: string;
  /** Empty where the chunk is not a symbol's. */
  readonly symbol: string;
  /** See `Chunk.parts`. */
  readonly parts: readonly Part[];
}

const WHITE_SPACE = /\s+/gu;

/**
 * A place as one text: a column of the index costs a search the same however short it is, so that seven of them took
 * longer to read than the texts. Its first line is the chunk, each further one a part.
 */
export function packPlace(place: Place): string {
  const { start, end, start_line, end_line, start_column, sha256, symbol, parts } = place;
  const lines = parts.map((part) => {
    const names = [part.symbol, part.title].map((name) => name.replace(WHITE_SPACE, ' '));
    return [part.start, part.end, names.join('\t')].join(' ');
  });
  return [
    [start, end, start_line, end_line, start_column, sha256, symbol.replace(WHITE_SPACE, ' ')].join(' '),
    ...lines,
  ].join('\n');
}

export function unpackPlace(place: string): Place {
  const [chunk = '', ...parts] = place.split('\n');
  const [start, end, start_line, end_line, start_column, sha256 = ''] = chunk.split(' ', FIELDS);
  return {
    start: Number(start),
    end: Number(end),
    start_line: Number(start_line),
    end_line: Number(end_line),
    start_column: Number(start_column),
    sha256,
    symbol: symbolIn(place),
    parts: parts.map(unpackPart),
  };
}

/** Fields of the first line before the symbol, which may hold blanks. */
const FIELDS = 6;

/** The hash in a packed place, without the rest of it. */
export function sha256In(place: string): string {
  return place.split(' ', FIELDS)[FIELDS - 1] ?? '';
}

/** The symbol of a packed place, without the rest of it. */
export function symbolIn(place: string): string {
  let at = 0;
  for (let field = 0; field < FIELDS; field++) at = place.indexOf(' ', at) + 1;
  const end = place.indexOf('\n', at);
  return place.slice(at, end === -1 ? place.length : end);
}

function unpackPart(line: string): Part {
  const end = line.indexOf(' ') + 1;
  const symbol = line.indexOf(' ', end) + 1;
  const title = line.indexOf('\t', symbol) + 1;
  return {
    start: Number(line.slice(0, end)),
    end: Number(line.slice(end, symbol)),
    symbol: line.slice(symbol, title - 1),
    title: line.slice(title),
  };
}
