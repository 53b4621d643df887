import { provideForCall, token } from '@service-mcp/core';
import { Search } from '@service-mcp/plugin-search/contract';
import { OverviewPart } from '@service-mcp/plugin-workspaces/contract';
import { FORMATS } from '../packing/formats.js';
import { pack } from '../packing/pack.js';
import type { Candidate } from '../packing/candidate.js';
import type { BuiltContext, ContextRequest } from './context-builder.js';
import { Tokenizers } from './tokenizers.js';

/** Where to look, and what was decided last: cheaper than a hybrid search. */
export interface FastContext {
  build(
    request: Pick<ContextRequest, 'query' | 'workspace_id' | 'project_id' | 'max_tokens'>,
    signal: AbortSignal,
  ): Promise<BuiltContext>;
}
export const FastContext = token<FastContext>('ai.FastContext');

const PLACES = 8;
/** Of each place: its first lines. */
const MAX_CHARS = 300;

export const fastContext = provideForCall(FastContext, {
  uses: { search: Search, parts: OverviewPart, tokenizers: Tokenizers },
  create: ({ search, parts, tokenizers }): FastContext => ({
    async build({ query, workspace_id, project_id, max_tokens }, signal) {
      const request = { query, workspace_id, limit: PLACES, content_max_chars: MAX_CHARS };
      const scope = project_id === undefined ? {} : { project_id };
      const [tokenizer, found, ...known] = await Promise.all([
        tokenizers.open(),
        search.search('keyword', { ...request, ...scope }, signal),
        ...parts.map((part) => part.read(workspace_id)),
      ]);
      const decisions = known.flatMap(({ recentDecisions = [] }) => recentDecisions);
      const candidates: Candidate[] = [
        ...decisions.map(({ id, title }) => ({
          kind: 'decision' as const,
          title: String(title),
          id: String(id),
          text: '',
          score: 1,
          reason: 'recent decision',
        })),
        ...found.results.map((result): Candidate => ({
          kind: result.kind === 'code' ? 'code' : 'doc',
          title: result.symbol ?? '',
          path: result.path,
          ...(result.project_id !== null && { projectId: result.project_id }),
          startLine: result.start_line,
          endLine: result.start_line + result.content.trimEnd().split('\n').length - 1,
          text: result.content.trimEnd(),
          score: result.score / (found.results[0]?.score || 1),
          reason: 'matches by words; its first lines',
        })),
      ];
      const budget = { maxTokens: max_tokens, maxSections: 2 * PLACES };
      const packed = pack(candidates, budget, { format: FORMATS.markdown, tokenizer });
      return { ...packed, index: found.index, warnings: found.warnings, tokenizer: tokenizer.name };
    },
  }),
});
