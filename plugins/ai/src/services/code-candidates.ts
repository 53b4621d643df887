import { Syntax, type SourceSymbol } from '@service-mcp/plugin-syntax/contract';
import { Search, type SearchOutput, type SearchResult } from '@service-mcp/plugin-search/contract';
import { CallAdmission, provideForCall, token } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Candidate } from '../packing/candidate.js';
import { isHeadings } from './is-headings.js';
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

/** The best scores of texts by each retriever, which compare over all kinds of documents of a workspace. */
export interface TextScores {
  readonly keyword: number;
  readonly semantic: number;
}

export interface FoundCode extends Pick<SearchOutput, 'index' | 'warnings'> {
  readonly candidates: Candidate[];
  readonly best: TextScores;
}

export interface CodeCandidates {
  /** Candidates from the files of a workspace, and the state of the index that they come from. */
  find(request: CodeRequest, signal: AbortSignal): Promise<FoundCode>;
}
export const CodeCandidates = token<CodeCandidates>('ai.CodeCandidates');

/** Text of a result: more than any chunk of the index has. */
const MAX_CHARS = 10_000;
/** Files whose cut functions are completed, and the largest such function. */
const MAX_FILES = 6;
const MAX_LINES = 200;
/** The index cuts functions above 2,000 code units at a blank line in the last half of that, or later. */
const MIN_CUT = 1000;
const NO_SYMBOL = 0.8;
/** A text with less of the best score is only a little near, as any text is: by measurement, see ADR 106. */
const NOISE = 0.05;
/** Kinds of symbols, and declarations, with members. They are cut between members, which stay whole. */
const MEMBERS = /\b(?:class|interface|namespace|module|struct|trait|impl)\b/;
const HAS_MEMBERS: ReadonlySet<string> = new Set(['class', 'interface', 'module']);

export const codeCandidates = provideForCall(CodeCandidates, {
  uses: { search: Search, syntax: Syntax, projects: ProjectDirectory, admission: CallAdmission },
  create({ search, syntax, projects, admission }): CodeCandidates {
    /** The symbols of files in which a result may be only a part of one, and of the best one, by `project path`. */
    async function structures(results: readonly SearchResult[]): Promise<Map<string, Parsed>> {
      const pathsOf = new Map<string, Set<string>>();
      const [best] = results;
      const shown = results.filter((result) => mayBeCut(result) || (result === best && isOnLines(result)));
      for (const { project_id, path } of shown.slice(0, MAX_FILES))
        pathsOf.set(project_id ?? '', (pathsOf.get(project_id ?? '') ?? new Set()).add(path));
      const parsed = new Map<string, Parsed>();
      for (const [projectId, paths] of pathsOf) {
        const texts = await projects.texts(projectId, [...paths], admission.workspaceIds);
        await Promise.all(
          [...texts].map(async ([path, text]) => {
            const { symbols } = await syntax.parse({ path, text });
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
        const { results, index, warnings } = await search.search(
          'hybrid',
          { ...request, limit },
          { signal, caller: admission.caller },
        );
        const wanted = results.filter((each) => (includeTests || !isTest(each.path)) && !isHeadings(each));
        const most = wanted[0]?.score ?? 1;
        const files = await structures(wanted);
        signal.throwIfAborted();
        const candidates = wanted.map((result): Candidate => {
          const { score } = result;
          const whole = completed(result, files.get(`${result.project_id} ${result.path}`));
          return {
            ...candidateOf(result),
            ...whole,
            score: most > 0 ? Math.min(1, (score / most) * weightOf(result)) : 0,
          };
        });
        const near = candidates.filter(({ score }) => score >= NOISE);
        return { candidates: near, best: bestOf(results), index, warnings };
      },
    };
  },
});

interface Parsed {
  readonly symbols: readonly SourceSymbol[];
  readonly lines: readonly string[];
}

/** What a file has outside of its symbols is mostly imports and settings. */
function weightOf({ kind, symbol }: SearchResult): number {
  return kind === 'code' && symbol === undefined ? NO_SYMBOL : 1;
}

/**
 * True for what looks like a part of a function, which is parsed to know: it lacks the name of its function, or is long
 * and ends deeper than the line with the name.
 */
function mayBeCut({ kind, project_id, symbol, title, content }: SearchResult): boolean {
  if (kind !== 'code' || project_id === null || symbol === undefined || MEMBERS.test(title)) return false;
  const name = symbol.replace(/~\d+$/, '').split('.').at(-1) ?? '';
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const head = lines.find((line) => line.includes(name));
  if (head === undefined) return true;
  return content.length >= MIN_CUT && depthOf(lines.at(-1) ?? '') > depthOf(head);
}

/** Whether matches are on several lines, of which others may be outside of the symbol. */
function isOnLines({ kind, project_id, symbol, highlights }: SearchResult): boolean {
  const isOfFile = kind === 'code' && project_id !== null && symbol !== undefined;
  return isOfFile && new Set(highlights.map(({ line }) => line)).size > 1;
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
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

/** The best scores by each retriever. */
export function bestOf(results: ReadonlyArray<Pick<SearchResult, 'scores'>>): TextScores {
  const most = (retriever: 'keyword' | 'semantic') =>
    Math.max(0, ...results.map(({ scores }) => scores[retriever] ?? 0));
  return { keyword: most('keyword'), semantic: most('semantic') };
}

/** The whole function that a result is a part of, unless it is large; of one that is whole, its own first match. */
function completed(
  { symbol: name, start_line, end_line, highlights }: SearchResult,
  file: Parsed | undefined,
): Partial<Candidate> {
  const symbol = file?.symbols.find(
    ({ qualifiedName, kind, startLine, endLine }) =>
      qualifiedName === name && !HAS_MEMBERS.has(kind) && startLine <= end_line && endLine >= start_line,
  );
  if (!file || !symbol) return {};
  const { startLine, endLine } = symbol;
  if (startLine >= start_line && endLine <= end_line) {
    const own = highlights.find(({ line }) => line >= startLine && line <= endLine);
    return own ? { focus: [own.line - start_line] } : {};
  }
  if (endLine - startLine >= MAX_LINES) return {};
  const [from, to] = [Math.min(startLine, start_line), Math.max(endLine, end_line)];
  const first = highlights[0]?.line ?? start_line;
  const text = file.lines.slice(from - 1, to).join('\n');
  return { startLine: from, endLine: to, text, focus: [first - from] };
}
