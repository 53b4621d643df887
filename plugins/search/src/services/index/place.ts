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
}

/**
 * A place as one text: a column of the index costs a search the same however short it is, so that seven of them took
 * longer to read than the texts.
 */
export function packPlace({ start, end, start_line, end_line, start_column, sha256, symbol }: Place): string {
  return [start, end, start_line, end_line, start_column, sha256, symbol].join(' ');
}

export function unpackPlace(place: string): Place {
  const [start, end, start_line, end_line, start_column, sha256 = '', ...symbol] = place.split(' ');
  return {
    start: Number(start),
    end: Number(end),
    start_line: Number(start_line),
    end_line: Number(end_line),
    start_column: Number(start_column),
    sha256,
    symbol: symbol.join(' '),
  };
}
