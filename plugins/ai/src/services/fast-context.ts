import { CallAdmission, holdsScope, provideForCall, token } from '@service-mcp/core';
import { Search, type SearchResult } from '@service-mcp/plugin-search/contract';
import { OverviewPart } from '@service-mcp/plugin-workspaces/contract';
import { NO_MEMORY } from '../closing.js';
import { FORMATS } from '../packing/formats.js';
import { packBefore } from '../packing/pack-before.js';
import type { Candidate } from '../packing/candidate.js';
import type { BuiltContext, ContextRequest } from './context-builder.js';
import { isHeadings } from './is-headings.js';
import { isTest } from './is-test.js';
import { Tokenizers } from './tokenizers.js';

/** Where to look, and what was decided last: cheaper than a hybrid search. */
export interface FastContext {
  build(
    request: Pick<ContextRequest, 'query' | 'workspace_id' | 'project_id' | 'max_tokens' | 'has_notes'>,
    signal: AbortSignal,
  ): Promise<BuiltContext>;
}
export const FastContext = token<FastContext>('ai.FastContext');

const PLACES = 8;
/** Asked for, since tests are left out. */
const RESULTS = 2 * PLACES;
/** Shown of each place, around what matched. */
const LINES = 6;
/** More than any chunk of the index has. */
const MAX_CHARS = 10_000;

export const fastContext = provideForCall(FastContext, {
  uses: { search: Search, parts: OverviewPart, tokenizers: Tokenizers, admission: CallAdmission },
  create: ({ search, parts, tokenizers, admission }): FastContext => ({
    async build({ query, workspace_id, project_id, max_tokens, has_notes }, signal) {
      const request = { query, workspace_id, limit: RESULTS, content_max_chars: MAX_CHARS };
      const scope = project_id === undefined ? {} : { project_id };
      const { caller } = admission;
      const remembers = holdsScope(caller, 'memory:read');
      const readable = parts.filter(
        ({ scope: needed }) => needed === undefined || holdsScope(caller, needed),
      );
      const [tokenizer, found, ...known] = await Promise.all([
        tokenizers.open(),
        search.search('keyword', { ...request, ...scope }, { signal, caller }),
        ...readable.map((part) => part.read(workspace_id, project_id)),
      ]);
      const decisions = known.flatMap(({ recentDecisions = [] }) => recentDecisions);
      const places = found.results.filter((each) => !isTest(each.path) && !isHeadings(each)).slice(0, PLACES);
      const candidates: Candidate[] = [
        ...decisions.map(({ id, title, decided_at }) => ({
          kind: 'decision' as const,
          title,
          id,
          ...(typeof decided_at === 'string' && { date: decided_at.slice(0, 10) }),
          text: '',
          score: 1,
          isRecent: true as const,
          reason: 'recent decision',
        })),
        ...places.map((place) => candidateOf(place, places[0]?.score || 1)),
      ];
      const budget = { maxTokens: max_tokens, maxSections: 2 * PLACES };
      const { index } = found;
      const warnings = [...found.warnings, ...(remembers ? [] : [NO_MEMORY])];
      const packed = packBefore(
        { dropped: 0, index, warnings, projectId: project_id, hasNotes: has_notes },
        candidates,
        budget,
        {
          format: FORMATS.markdown,
          tokenizer,
        },
      );
      return { ...packed, index, warnings, tokenizer: tokenizer.name };
    },
  }),
});

function candidateOf(result: SearchResult, best: number): Candidate {
  const { kind, path, project_id, symbol, language, start_line, content, highlights, score } = result;
  const lines = content.trimEnd().split('\n');
  const [match] = highlights;
  const from = Math.max(0, Math.min((match?.line ?? start_line) - start_line - 1, lines.length - LINES));
  const shown = lines.slice(from, from + LINES);
  return {
    kind: kind === 'code' ? 'code' : 'doc',
    title: symbol ?? '',
    path,
    ...(project_id !== null && { projectId: project_id }),
    ...(language !== null && { language }),
    startLine: start_line + from,
    endLine: start_line + from + shown.length - 1,
    text: shown.join('\n'),
    score: score / best,
    reason: 'matches by words',
  };
}
