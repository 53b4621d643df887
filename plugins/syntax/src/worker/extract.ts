import { DOCUMENTS } from '../documents/index.js';
import { parseSource, type Extracted } from './source.js';

/** One text to parse. Plain data: it crosses to the worker thread. */
export interface Task {
  /** A grammar of `GRAMMARS` or a format of `DOCUMENTS`. */
  readonly parser: string;
  readonly text: string;
  /** Milliseconds. */
  readonly limit: number;
}

/** What a worker thread runs for each text. */
export async function extract({ parser, text, limit }: Task): Promise<Extracted> {
  const document = DOCUMENTS.get(parser);
  if (document) return { symbols: document(text), complete: true, spent: false };
  return parseSource(parser, text, limit);
}
