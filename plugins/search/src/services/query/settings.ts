import type { DocumentKind, SearchRequest } from '../../contract.js';

/** A request with its defaults filled in. */
export interface Settings {
  readonly request: SearchRequest;
  readonly limit: number;
  readonly offset: number;
  readonly contextLines: number;
  readonly contentMaxChars: number;
  readonly outputFormat: 'full' | 'paths' | 'count';
  readonly minScore: number;
}

export function settingsOf(request: SearchRequest): Settings {
  return {
    request,
    limit: request.limit ?? 10,
    offset: request.offset ?? 0,
    contextLines: request.contextLines ?? 0,
    contentMaxChars: request.contentMaxChars ?? 800,
    outputFormat: request.outputFormat ?? 'full',
    minScore: request.minScore ?? 0,
  };
}

/** A place that answers a query: a chunk of a document. */
export interface Candidate {
  readonly id: string;
  readonly documentId: string;
  readonly kind: DocumentKind;
}

/** What a mode found; the engine adds what every answer has. */
export interface Found<R> {
  readonly results: readonly R[];
  readonly total: number;
  readonly totalIsLowerBound: boolean;
  readonly warnings: readonly string[];
}
