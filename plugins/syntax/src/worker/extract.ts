import { DOCUMENTS } from '../documents/index.js';
import { parseSource, type Extracted } from './parse-source.js';

/** One text to parse. Plain data, because it is posted to a worker thread. */
export interface Task {
  /** A grammar of `GRAMMARS` or a format of `DOCUMENTS`. */
  readonly parser: string;
  readonly path: string;
  readonly text: string;
  /** Milliseconds. */
  readonly limit: number;
  /** Code too, of a source text. */
  readonly code: boolean;
}

/** The entry point of a worker thread. */
export async function extract(task: Task): Promise<Extracted> {
  const document = DOCUMENTS.get(task.parser);
  if (document)
    return { symbols: document(task.text), complete: true, expired: false, complex: false, spent: false };
  return parseSource(task);
}
