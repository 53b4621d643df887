import { Syntax, type SourceSymbol } from '@service-mcp/plugin-syntax/contract';
import { Search, type SearchOutput, type SearchResult } from '@service-mcp/plugin-search/contract';
import { CallAdmission, provideForCall, token } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Candidate } from '../packing/candidate.js';
import { isTest } from './is-test.js';

export interface CodeRequest {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string;
  /** Kinds of documents, `code` and `doc` among them. */
  readonly kinds: readonly string[];
  readonly includeTests: boolean;
  /** Search results, 1 to 100. */
  readonly limit: number;
}

export interface CodeCandidates {
  /** Candidates from the files of a workspace, and the state of the index that they come from. */
  find(
    request: CodeRequest,
    signal: AbortSignal,
  ): Promise<{ readonly candidates: Candidate[] } & Pick<SearchOutput, 'index' | 'warnings'>>;
}
export const CodeCandidates = token<CodeCandidates>('ai.CodeCandidates');

/** Text of a result: more than any chunk of the index has. */
const MAX_CHARS = 10_000;
/** Files whose cut functions are completed, and the largest such function. */
const MAX_FILES = 12;
const MAX_LINES = 200;

export const codeCandidates = provideForCall(CodeCandidates, {
  uses: { search: Search, syntax: Syntax, projects: ProjectDirectory, admission: CallAdmission },
  create({ search, syntax, projects, admission }): CodeCandidates {
    /** The symbols of a file in which a result is only a part of one, by `project path`. */
    async function structures(
      results: readonly SearchResult[],
      signal: AbortSignal,
    ): Promise<Map<string, Parsed>> {
      const byProject = new Map<string, Set<string>>();
      for (const { kind, project_id, path, symbol } of results) {
        if (kind !== 'code' || project_id === null || symbol === undefined) continue;
        const paths = byProject.get(project_id) ?? new Set();
        if (paths.size < MAX_FILES) byProject.set(project_id, paths.add(path));
      }
      const parsed = new Map<string, Parsed>();
      for (const [projectId, paths] of byProject) {
        const texts = await projects.texts(projectId, [...paths], admission.workspaceIds);
        await Promise.all(
          [...texts].map(async ([path, text]) => {
            const { symbols } = await syntax.parse({ path, text }, signal);
            parsed.set(`${projectId} ${path}`, { symbols, lines: text.split('\n') });
          }),
        );
      }
      return parsed;
    }

    return {
      async find({ kinds, includeTests, limit, query, workspace_id, project_id }, signal) {
        const scope = { workspace_id, ...(project_id !== undefined && { project_id }) };
        const request = { query, ...scope, filters: { kinds: [...kinds] }, content_max_chars: MAX_CHARS };
        const { results, index, warnings } = await search.search('hybrid', { ...request, limit }, signal);
        const wanted = includeTests ? results : results.filter(({ path }) => !isTest(path));
        const best = wanted[0]?.score ?? 1;
        const files = await structures(wanted, signal);
        const candidates = wanted.map((result): Candidate => {
          const { score } = result;
          const whole = completed(result, files.get(`${result.project_id} ${result.path}`));
          return { ...candidateOf(result), ...whole, score: best > 0 ? Math.min(1, score / best) : 0 };
        });
        return { candidates, index, warnings };
      },
    };
  },
});

interface Parsed {
  readonly symbols: readonly SourceSymbol[];
  readonly lines: readonly string[];
}

function candidateOf(result: SearchResult): Candidate {
  const { kind, project_id, path, language, start_line, end_line, content, symbol, score } = result;
  const focus = [...new Set(result.highlights.map(({ line }) => line - start_line))];
  return {
    kind: kind === 'code' ? 'code' : 'doc',
    title: symbol ?? '',
    path,
    ...(project_id !== null && { projectId: project_id }),
    startLine: start_line,
    endLine: end_line,
    ...(language !== null && { language }),
    text: content.replace(/\n$/, ''),
    score,
    reason: reasonOf(result),
    ...(focus.length > 0 && { focus }),
  };
}

function reasonOf({ scores, highlights }: SearchResult): string {
  const by = [
    ...((scores.keyword ?? 0) > 0 || highlights.length > 0 ? ['words'] : []),
    ...((scores.semantic ?? 0) > 0 ? ['meaning'] : []),
  ];
  return `matches by ${by.join(' and ') || 'text'}`;
}

/** The whole function that a result is a part of, unless it is large. */
function completed(
  { symbol: name, start_line, end_line, highlights }: SearchResult,
  file: Parsed | undefined,
): Partial<Candidate> {
  const symbol = file?.symbols.find(
    ({ qualifiedName, startLine, endLine }) =>
      qualifiedName === name && startLine <= end_line && endLine >= start_line,
  );
  if (!file || !symbol) return {};
  const { startLine, endLine } = symbol;
  const isWhole = startLine >= start_line && endLine <= end_line;
  if (isWhole || endLine - startLine >= MAX_LINES) return {};
  const [from, to] = [Math.min(startLine, start_line), Math.max(endLine, end_line)];
  const first = highlights[0]?.line ?? start_line;
  const text = file.lines.slice(from - 1, to).join('\n');
  return { startLine: from, endLine: to, text, focus: [first - from] };
}
