import type { Highlight, SearchAnswer, SearchFilters, SearchRequest, SearchResult } from './contract.js';
import type { PatternInput, SearchInput, SearchOutput } from './schemas.js';

/** Converts the arguments of a tool to a request. */
export function toRequest(input: SearchInput | PatternInput): SearchRequest {
  const pattern = 'case_sensitive' in input ? input : undefined;
  return {
    query: input.query,
    workspaceId: input.workspace_id,
    ...(input.project_id !== undefined && { projectId: input.project_id }),
    limit: input.limit,
    offset: input.offset,
    ...(input.filters && { filters: toFilters(input.filters) }),
    contextLines: input.context_lines,
    contentMaxChars: input.content_max_chars,
    outputFormat: input.output_format,
    ...(input.min_score !== undefined && { minScore: input.min_score }),
    ...(pattern && {
      caseSensitive: pattern.case_sensitive,
      multiline: pattern.multiline,
      wholeWord: pattern.whole_word,
    }),
  };
}

function toFilters(filters: NonNullable<SearchInput['filters']>): SearchFilters {
  const { languages, path_prefix, path_glob, kinds, tags, modified_after, modified_before } = filters;
  return {
    ...(languages && { languages }),
    ...(path_prefix !== undefined && { pathPrefix: path_prefix }),
    ...(path_glob !== undefined && { pathGlob: path_glob }),
    ...(kinds && { kinds }),
    ...(tags && { tags }),
    ...(modified_after !== undefined && { modifiedAfter: modified_after }),
    ...(modified_before !== undefined && { modifiedBefore: modified_before }),
  };
}

export function toOutput(answer: SearchAnswer): SearchOutput {
  return {
    mode: answer.mode,
    results: answer.results.map(toResult),
    total: answer.total,
    total_is_lower_bound: answer.totalIsLowerBound,
    took_ms: answer.tookMs,
    has_more: answer.hasMore,
    index: { ...answer.index },
    warnings: [...answer.warnings],
  };
}

function toResult(result: SearchResult): SearchOutput['results'][number] {
  return {
    id: result.id,
    kind: result.kind,
    project_id: result.projectId,
    path: result.path,
    language: result.language,
    start_line: result.startLine,
    end_line: result.endLine,
    title: result.title,
    content: result.content,
    truncated: result.truncated,
    score: round(result.score),
    scores: Object.fromEntries(Object.entries(result.scores).map(([name, score]) => [name, round(score)])),
    highlights: result.highlights.map((highlight: Highlight) => ({ ...highlight })),
    ...(result.symbol !== undefined && { symbol: result.symbol }),
    updated_at: result.updatedAt,
    stale: result.stale,
  };
}

/** Six digits distinguish any two candidates. */
function round(score: number): number {
  return Number(score.toPrecision(6));
}
