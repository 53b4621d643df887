import { CallAdmission, optional, provideForCall, token } from '@service-mcp/core';
import { CodeNeighbours, type CodeLines, type Neighbour } from '@service-mcp/plugin-graph/contract';
import { Syntax } from '@service-mcp/plugin-syntax/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Candidate } from '../packing/candidate.js';
import { distinct } from '../packing/distinct.js';
import { isTest } from './is-test.js';

/** The code around the code that a search found. */
export interface GraphCandidates {
  /** What the best of the candidates call, and what calls them. Empty without the graph plugin. */
  find(found: readonly Candidate[], workspaceId: string, includeTests: boolean): Promise<Candidate[]>;
}
export const GraphCandidates = token<GraphCandidates>('ai.GraphCandidates');

/** Candidates whose neighbours are looked up, their least score, and neighbours of them all. */
const MAX_ROOTS = 6;
const MIN_SCORE = 0.3;
const MAX_NEIGHBOURS = 12;
/** Longer neighbours would take more of the budget than what was asked for. */
const MAX_LINES = 60;
/** Of the score of a candidate: code that was not found itself comes after what was. */
const SHARE = 0.4;

export const graphCandidates = provideForCall(GraphCandidates, {
  uses: {
    neighbours: optional(CodeNeighbours),
    syntax: Syntax,
    projects: ProjectDirectory,
    admission: CallAdmission,
  },
  create: ({ neighbours, syntax, projects, admission }): GraphCandidates => ({
    async find(found, workspaceId, includeTests) {
      if (!neighbours) return [];
      const best = distinct(found.filter(({ kind, score }) => kind === 'code' && score >= MIN_SCORE));
      const linesOf = new Map<string, CodeLines[]>();
      for (const { projectId, path, startLine, endLine } of best.slice(0, MAX_ROOTS)) {
        if (projectId === undefined || path === undefined || startLine === undefined) continue;
        const lines = { path, startLine, endLine: endLine ?? startLine };
        linesOf.set(projectId, [...(linesOf.get(projectId) ?? []), lines]);
      }
      const candidates: Candidate[] = [];
      for (const [projectId, lines] of linesOf) {
        const near = (await neighbours.of({ projectId, workspaceId }, lines, MAX_NEIGHBOURS)).filter(
          ({ path, startLine, endLine }) =>
            endLine - startLine < MAX_LINES && (includeTests || !isTest(path)),
        );
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

function candidateOf(neighbour: Neighbour, projectId: string, text: string): Candidate {
  const { id, path, startLine, endLine, relation, of, weight } = neighbour;
  return {
    kind: 'graph',
    title: id.slice(path.length + 1),
    path,
    projectId,
    startLine,
    endLine,
    text: text
      .split('\n')
      .slice(startLine - 1, endLine)
      .join('\n'),
    score: SHARE * weight,
    reason: relation === 'uses' ? `uses ${of}` : `used by ${of}`,
  };
}
