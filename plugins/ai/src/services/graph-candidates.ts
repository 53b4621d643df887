import { CallAdmission, optional, provideForCall, token } from '@service-mcp/core';
import { CodeNeighbours, type CodeLines, type Neighbour } from '@service-mcp/plugin-graph/contract';
import { Syntax } from '@service-mcp/plugin-syntax/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Candidate } from '../packing/candidate.js';
import { distinct } from '../packing/distinct.js';
import { isTest } from './is-test.js';

/** The code around the code that a search found. */
export interface GraphCandidates {
  /**
   * What the best of the candidates call, and what calls them; first what uses the code that `query` names, where it asks
   * for that. Empty without the graph plugin.
   */
  find(
    found: readonly Candidate[],
    request: { readonly query: string; readonly workspaceId: string; readonly includeTests: boolean },
  ): Promise<Candidate[]>;
}
export const GraphCandidates = token<GraphCandidates>('ai.GraphCandidates');

/** Candidates whose neighbours are looked up, their least score, and neighbours of them all. */
const MAX_ROOTS = 6;
const MIN_SCORE = 0.3;
const MAX_NEIGHBOURS = 12;
/** Longer neighbours would take more of the budget than what was asked for. */
const MAX_LINES = 60;
/** Neighbours where a question asks for what uses some code: all of these may. */
const MAX_USERS = 30;
/** Lines before and after the use in a longer neighbour. */
const AROUND = 8;
/** Share of the weight that is the score: code that was not found itself comes after what was, but not what was asked for. */
const SHARE = 0.4;
const USERS_SHARE = 0.95;

export const graphCandidates = provideForCall(GraphCandidates, {
  uses: {
    neighbours: optional(CodeNeighbours),
    syntax: Syntax,
    projects: ProjectDirectory,
    admission: CallAdmission,
  },
  create: ({ neighbours, syntax, projects, admission }): GraphCandidates => ({
    async find(found, { query, workspaceId, includeTests }) {
      if (!neighbours) return [];
      const asked = askedFor(query);
      const best = distinct(found.filter(({ kind, score }) => kind === 'code' && score >= MIN_SCORE));
      const linesOf = new Map<string, CodeLines[]>();
      for (const { projectId, path, startLine, endLine } of best.slice(0, MAX_ROOTS)) {
        if (projectId === undefined || path === undefined || startLine === undefined) continue;
        const lines = { path, startLine, endLine: endLine ?? startLine };
        linesOf.set(projectId, [...(linesOf.get(projectId) ?? []), lines]);
      }
      const candidates: Candidate[] = [];
      for (const [projectId, lines] of linesOf) {
        const limit = asked.size > 0 ? MAX_USERS : MAX_NEIGHBOURS;
        const all = await neighbours.of({ projectId, workspaceId }, lines, limit, asked);
        const users = all.filter(({ usedAt }) => usedAt !== undefined).length; // which come first
        const near = all.slice(0, Math.max(users, MAX_NEIGHBOURS)).flatMap((each) => {
          if (!includeTests && isTest(each.path)) return [];
          if (each.endLine - each.startLine < MAX_LINES) return [each];
          return each.usedAt === undefined ? [] : [{ ...each, ...linesAround(each, each.usedAt) }];
        });
        const paths = [...new Set(near.map(({ path }) => path))];
        const texts = await projects.texts(projectId, paths, admission.workspaceIds);
        for (const each of near) {
          const text = texts.get(each.path);
          if (text === undefined) continue;
          const language = syntax.languageOf(each.path, text);
          candidates.push({ ...candidateOf(each, projectId, text), ...(language !== null && { language }) });
        }
      }
      return candidates;
    },
  }),
});

/** What stands before the name in "who calls X", "what uses the class X" and "callers of X"; not in "what does X call". */
const BEFORE_NAME =
  /\b(?:calls|uses|invokes|(?:callers?|usages?|users) of|do we (?:call|use)|where (?:is|are)) (?:the )?(?:function |method |class |type )?[`'"]?([\p{L}_$][\p{L}\p{N}_$]*(?:[.#]+[\p{L}\p{N}_$]+)*)/giu;
const WHERE_IS = /\bwhere (?:is|are) /i;
const USED = /\b(?:used|called|invoked)\b/i;

/** The names of code whose users a question asks for; none in other questions. */
function askedFor(query: string): ReadonlySet<string> {
  if (WHERE_IS.test(query) && !USED.test(query)) return new Set();
  return new Set([...query.matchAll(BEFORE_NAME)].map(([, name = '']) => nameOf(name)));
}

/** The name of a symbol in its id: `method` of `a.ts#Class.method`. */
const nameOf = (id: string) => id.slice(Math.max(id.lastIndexOf('#'), id.lastIndexOf('.')) + 1);

function linesAround({ startLine, endLine }: CodeLines, line: number) {
  return { startLine: Math.max(startLine, line - AROUND), endLine: Math.min(endLine, line + AROUND) };
}

function candidateOf(neighbour: Neighbour, projectId: string, text: string): Candidate {
  const { id, path, startLine, endLine, relation, of, weight, usedAt } = neighbour;
  return {
    kind: 'graph',
    title: id.slice(path.length + 1) || path,
    path,
    projectId,
    startLine,
    endLine,
    text: text
      .split('\n')
      .slice(startLine - 1, endLine)
      .join('\n'),
    score: (usedAt === undefined ? SHARE : USERS_SHARE) * weight,
    reason: relation === 'uses' ? `uses ${of}` : `used by ${of}`,
  };
}
