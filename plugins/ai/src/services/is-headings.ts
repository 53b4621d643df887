import type { SearchResult } from '@service-mcp/plugin-search/contract';

/** A document of headings alone tells nothing that its path does not. */
export function isHeadings({ kind, content }: Pick<SearchResult, 'kind' | 'content'>): boolean {
  return kind === 'doc' && content.split('\n').every((line) => /^\s*(?:#{1,6}\s.*|<h[1-6].*)?$/i.test(line));
}
