import { invalidArgument } from '@service-mcp/core';
import type { DocumentKind, IndexSource, SearchRequest, SearchResult } from '../../contract.js';

/** A request with its defaults filled in. */
export interface Settings {
  readonly request: SearchRequest;
  readonly limit: number;
  readonly offset: number;
  readonly contextLines: number;
  readonly contentMaxChars: number;
  readonly outputFormat: 'full' | 'paths' | 'count';
  readonly minScore: number;
  /** Kinds of document that are searched. */
  readonly kinds: readonly DocumentKind[];
}

/** Throws INVALID_ARGUMENT for a kind that no source yields. */
export function settingsOf(request: SearchRequest, sources: readonly IndexSource[]): Settings {
  return {
    kinds: kindsOf(request.filters?.kinds ?? [], sources),
    request,
    limit: request.limit ?? 10,
    offset: request.offset ?? 0,
    contextLines: request.contextLines ?? 0,
    contentMaxChars: request.contentMaxChars ?? 800,
    outputFormat: request.outputFormat ?? 'full',
    minScore: request.minScore ?? 0,
  };
}

/** Memory's kinds are known to every deployment: without the plugin they find nothing. */
const ALWAYS_KNOWN = ['code', 'doc', 'event', 'node'];

function kindsOf(named: readonly DocumentKind[], sources: readonly IndexSource[]): readonly DocumentKind[] {
  const known = new Set([...ALWAYS_KNOWN, ...sources.flatMap(({ kinds }) => kinds)]);
  const unknown = named.find((kind) => !known.has(kind));
  if (unknown !== undefined) {
    const kinds = [...known].sort().join(', ');
    throw invalidArgument('/filters/kinds', `"${unknown}" is not a kind of document here: use ${kinds}`);
  }
  if (named.length > 0) return named;
  const byDefault = sources.filter(({ searchedByDefault }) => searchedByDefault !== false);
  return [...new Set(byDefault.flatMap(({ kinds }) => kinds))];
}

/** A chunk that matches a query. */
export interface Candidate {
  readonly id: string;
  readonly documentId: string;
  readonly kind: DocumentKind;
}

/** A candidate with its scores. */
export interface Ranked extends Candidate {
  readonly score: number;
  readonly scores: SearchResult['scores'];
}

/** The result of one mode; the engine adds the fields that every answer has. */
export interface Found<R> {
  readonly results: readonly R[];
  readonly total: number;
  readonly totalIsLowerBound: boolean;
  readonly warnings: readonly string[];
}
