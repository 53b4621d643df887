import { closed, defineTool, holdsScope, closedAs } from '@service-mcp/core';
import { KnowledgeByCode } from '@service-mcp/plugin-memory/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { countsOf, relatedItem, stateOf, withSnippets } from '../query/answer-parts.js';
import { CHANGE_TYPES, impactOf } from '../query/impact.js';
import type { ProjectGraph } from '../query/project-graph.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { RISK_LEVELS, riskOf } from '../query/risk.js';
import { readSnippets } from '../query/snippets.js';
import { symbolView } from '../query/symbol-view.js';
import { findTarget } from '../query/targets.js';
import { isTest } from '../query/tests.js';
import { impactText } from '../result-text.js';
import {
  Affected,
  Depth,
  GraphSymbol,
  Limit,
  ProjectId,
  Target,
  graphState,
  projectAccess,
  totals,
} from '../schemas.js';

/** Modules, tests and overriding methods in an answer. */
const MAX_LISTED = 100;
const MAX_DECISIONS = 10;
/** Symbols inside the target for which decisions are looked up. */
const MAX_PLACES = 500;

export const analyzeImpact = defineTool({
  name: 'graph_impact_analysis',
  title: 'Impact of a change',
  description:
    'Lists what a change of a function, type or file may break: everything that depends on it, tests to run, a risk with reasons, and decisions about it. Use before you change code.',
  input: Type.Object(
    {
      project_id: ProjectId,
      target: Target('Code to change: by id, or by name, narrowed by path'),
      change_type: Type.Enum([...CHANGE_TYPES], {
        default: 'modify_signature',
        description: 'Kind of change',
      }),
      max_depth: Depth(20, 10),
      limit: Limit(200, 50),
    },
    closed,
  ),
  output: Type.Object(
    {
      target: GraphSymbol,
      risk_level: Type.Enum([...RISK_LEVELS]),
      reasons: Type.Array(Type.String()),
      affected: Type.Array(Affected),
      affected_modules: Type.Array(
        Type.String({ description: 'Path, those with the most affected symbols first' }),
      ),
      affected_tests: Type.Array(GraphSymbol),
      overriding_methods: Type.Array(GraphSymbol),
      related_decisions: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            kind: Type.Enum(['event', 'node'], { description: 'The kind of record that holds it' }),
            title: Type.String(),
            summary: Type.String(),
            status: Type.String(),
            decided_at: Type.String(),
          },
          closed,
        ),
      ),
      totals: Type.Object(
        { affected: Type.Integer(), modules: Type.Integer(), tests: Type.Integer(), ...totals },
        closed,
      ),
      unresolved_count: Type.Integer({
        description: 'Calls of this name with an unknown target: they may be affected',
      }),
      truncated: Type.Boolean(),
      ...graphState,
    },
    closedAs('ImpactAnalysis'),
  ),
  effect: 'read',
  conflicts: true,
  level: 'standard',
  access: projectAccess,
  http: { method: 'POST', path: '/v1/graph/impact-analysis' },
  text: impactText,
  uses: { graphs: ProjectGraphs, directory: ProjectDirectory, knowledge: KnowledgeByCode },
  async handler(request, { graphs, directory, knowledge }, { admission, caller }) {
    const { project_id, change_type, max_depth, limit } = request;
    const { workspaceId } = admission;
    const scope = { workspaceId, projectId: project_id };
    const { graph, index } = await graphs.read(project_id, workspaceId);
    const target = findTarget(graph, index, request.target, 'target');
    const impact = impactOf(graph, target, max_depth, limit);
    const decisions = holdsScope(caller, 'memory:read')
      ? await knowledge.decisions(scope, placesOf(graph, target), MAX_DECISIONS)
      : { items: [], total: 0 };
    const items = impact.affected.map((one) => relatedItem(graph, one));
    const snippetOf = await readSnippets(
      (paths) => directory.texts(project_id, paths, admission.workspaceIds),
      items.flatMap(({ via }) => via),
    );
    const risk = riskOf(impact, {
      change: change_type,
      exported: graph.symbol(target).exported,
      test: isTest(graph, target),
      decisions: decisions.total,
    });
    const symbols = (nodes: readonly number[]) =>
      nodes.slice(0, MAX_LISTED).map((node) => symbolView(graph, node));
    return {
      target: symbolView(graph, target),
      risk_level: risk.level,
      reasons: [...risk.reasons],
      affected: items.map((item) => withSnippets(item, snippetOf)),
      affected_modules: impact.modules.slice(0, MAX_LISTED).map((node) => graph.path(node)),
      affected_tests: symbols(impact.tests),
      overriding_methods: symbols(impact.overriders),
      related_decisions: decisions.items.map(({ id, kind, title, summary, status, decided_at }) => {
        return { id, kind, title, summary, status, decided_at };
      }),
      totals: {
        affected: impact.totals.total,
        modules: impact.modules.length,
        tests: impact.tests.length,
        ...countsOf([impact.totals]),
      },
      unresolved_count: impact.unresolved.count,
      truncated: impact.truncated || [impact.modules, impact.tests, impact.overriders].some(isLong),
      ...stateOf(graph, index),
    };
  },
});

function isLong({ length }: { readonly length: number }): boolean {
  return length > MAX_LISTED;
}

/** The target and the symbols inside it; a decision about its file is about it too. */
function placesOf(graph: ProjectGraph, target: number): Array<{ path: string; symbol?: string }> {
  return graph
    .contents(target)
    .slice(0, MAX_PLACES)
    .map((node) => {
      const path = graph.path(node);
      return graph.isModule(node) ? { path } : { path, symbol: graph.symbol(node).qualifiedName };
    });
}
