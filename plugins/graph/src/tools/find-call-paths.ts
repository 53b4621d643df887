import { closed, defineTool, closedAs } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { stateOf } from '../query/answer-parts.js';
import { MAX_CALLS, PASSED, passedMarks, pathsBetween, pathsToEnds } from '../query/call-paths.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { kindMask } from '../query/rows.js';
import { readSnippets } from '../query/snippets.js';
import { symbolView } from '../query/symbol-view.js';
import { findTarget } from '../query/targets.js';
import { callsThatMayUse } from '../query/unresolved.js';
import { callPathsText } from '../result-text.js';
import { Depth, GraphSymbol, ProjectId, Target, graphState, projectAccess } from '../schemas.js';

const Hop = Type.Object(
  {
    symbol: GraphSymbol,
    call_site: Type.Optional(
      Type.Object(
        {
          path: Type.String(),
          line: Type.Integer(),
          snippet: Type.String(),
          confidence: Type.Number(),
        },
        { ...closed, description: 'The call from the hop before; absent for the first' },
      ),
    ),
  },
  closedAs('CallHop'),
);
const CallPath = Type.Object(
  { hops: Type.Array(Hop), length: Type.Integer({ description: 'Calls' }), confidence: Type.Number() },
  closedAs('CallPath'),
);

const PASSED_ON =
  'No path of calls alone is known: in these, some lines pass a function on, which other code may call.';

export const findCallPaths = defineTool({
  name: 'graph_call_paths',
  title: 'Call paths',
  description:
    'Finds chains of calls from one function to another, the shortest first, with the line of each call. Without to: chains to the last callees, or the first callers.',
  input: Type.Object(
    {
      project_id: ProjectId,
      from: Target('Start of the chains'),
      to: Type.Optional(Target('End of the chains')),
      direction: Type.Enum(['callees', 'callers'], {
        default: 'callees',
        description: 'Follow the calls of from, or its callers',
      }),
      max_depth: Depth(MAX_CALLS, 10),
      max_paths: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Max paths' }),
    },
    closed,
  ),
  output: Type.Object(
    {
      paths: Type.Array(CallPath),
      shortest_path_length: Type.Union([Type.Integer(), Type.Null()]),
      furthest: Type.Optional(
        Type.Object(
          { symbol: GraphSymbol, depth: Type.Integer(), reached: Type.Integer() },
          { ...closed, description: 'End of a search without a path' },
        ),
      ),
      unresolved_count: Type.Integer({
        description: 'Without a path: calls of its end by name, with an unknown target',
      }),
      truncated: Type.Boolean(),
      ...graphState,
    },
    closedAs('CallPaths'),
  ),
  effect: 'read',
  conflicts: true,
  level: 'standard',
  access: projectAccess,
  http: { method: 'POST', path: '/v1/graph/call-paths' },
  text: callPathsText,
  uses: { graphs: ProjectGraphs, directory: ProjectDirectory },
  async handler(request, { graphs, directory }, { admission }) {
    const { project_id, max_depth, max_paths } = request;
    const { graph, index } = await graphs.read(project_id, admission.workspaceId);
    const from = findTarget(graph, index, request.from, 'from');
    const to = request.to && findTarget(graph, index, request.to, 'to');
    const direction = request.direction === 'callees' ? 'out' : 'in';
    const calls = { kinds: kindMask(['calls']), minConfidence: 0 };
    const limits = { maxDepth: max_depth, maxPaths: max_paths };
    const called = direction === 'out' ? to : from;
    const search = (ofCalled: readonly number[], passes = false) => {
      const starts = direction === 'out' ? graph.contents(from) : ofCalled;
      if (to === undefined) return pathsToEnds(graph, starts, direction, calls, limits);
      const goals = direction === 'out' ? ofCalled : graph.contents(to);
      const filter = passes ? { ...calls, kinds: calls.kinds | (1 << PASSED) } : calls;
      return pathsBetween(
        graph,
        starts,
        goals,
        direction,
        filter,
        limits,
        passes ? passedMarks(graph) : undefined,
      );
    };
    const ofCalled = called === undefined ? [] : graph.usable(called);
    const inside = called === undefined ? [] : graph.contents(called);
    const direct = search(ofCalled);
    const isInside = direct.paths.length === 0 && inside.length > ofCalled.length;
    const ofCalls = isInside ? search(inside) : direct;
    const passing = to !== undefined && ofCalls.paths.length === 0 ? search(ofCalled, true) : undefined;
    const isPassing = passing !== undefined && passing.paths.length > 0;
    const { paths, truncated, furthest } = isPassing ? passing : ofCalls;
    const { rows } = graph;
    const siteOf = (edge: number) => ({ path: graph.path(rows.sources[edge]!), line: rows.lines[edge]! });
    const snippetOf = await readSnippets(
      (wanted) => directory.texts(project_id, wanted, admission.workspaceIds),
      paths.flatMap(({ edges }) => edges.map(siteOf)),
    );
    const hop = (node: number, edge: number | undefined) => {
      const symbol = symbolView(graph, node);
      if (edge === undefined) return { symbol };
      const site = siteOf(edge);
      return {
        symbol,
        call_site: { ...site, snippet: snippetOf(site), confidence: rows.confidences[edge]! / 100 },
      };
    };
    const isMissing = paths.length === 0 && to !== undefined;
    const state = stateOf(graph, index);
    const calledInside =
      isInside && !isPassing && paths.length > 0 && called !== undefined
        ? [`No path is known to ${graph.id(called)} itself: these call functions inside it.`]
        : [];
    const passedAt = isPassing ? [PASSED_ON] : [];
    return {
      paths: paths.map(({ nodes, edges, confidence }) => ({
        hops: nodes.map((node, i) => hop(node, i === 0 ? undefined : edges[i - 1])),
        length: edges.length,
        confidence: Math.round(confidence * 100) / 100,
      })),
      shortest_path_length: paths[0]?.edges.length ?? null,
      ...(furthest && {
        furthest: {
          symbol: symbolView(graph, furthest.reached === 0 ? from : furthest.node),
          depth: furthest.depth,
          reached: furthest.reached,
        },
      }),
      unresolved_count: isMissing ? callsThatMayUse(graph, inside).count : 0,
      truncated,
      ...state,
      warnings: [...calledInside, ...passedAt, ...state.warnings],
    };
  },
});
