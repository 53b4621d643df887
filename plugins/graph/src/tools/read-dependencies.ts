import { closed, defineTool, closedAs } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { countsOf, relatedItem, stateOf } from '../query/answer-parts.js';
import { dependenciesOf } from '../query/dependencies.js';
import { DIAGRAM_FORMATS, diagramOf } from '../query/diagram.js';
import { withVersions } from '../query/externals.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { symbolView } from '../query/symbol-view.js';
import { findTarget } from '../query/targets.js';
import { dependenciesText } from '../result-text.js';
import {
  EdgeKinds,
  GraphSymbol,
  Limit,
  ProjectId,
  Related,
  Target,
  graphState,
  projectAccess,
  totals,
} from '../schemas.js';

const MAX_DEPTH = 20;
const MAX_EXTERNAL = 100;

export const readDependencies = defineTool({
  name: 'graph_dependencies',
  title: 'Dependencies of code',
  description:
    'Lists what a function, type, variable or file uses and what uses it, with the lines that prove it. Use it before reading files one by one.',
  input: Type.Object(
    {
      project_id: ProjectId,
      target: Target('By id, or by name, narrowed by path'),
      direction: Type.Enum(['both', 'out', 'in'], {
        default: 'both',
        description: 'out: what it uses; in: what uses it',
      }),
      max_depth: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_DEPTH, description: 'Max steps; default 1' }),
      ),
      include_transitive: Type.Boolean({ default: false, description: 'max_depth 20' }),
      kinds: Type.Optional(EdgeKinds),
      min_confidence: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description: 'Min confidence of an edge',
      }),
      limit: Limit(500, 50),
      format: Type.Enum(['json', ...DIAGRAM_FORMATS], { default: 'json', description: 'Adds a diagram' }),
    },
    closed,
  ),
  output: Type.Object(
    {
      target: GraphSymbol,
      dependencies: Type.Array(Related),
      dependents: Type.Array(Related),
      cycles: Type.Array(Type.Array(Type.String()), { description: 'Ids along cycles through the target' }),
      external: Type.Array(
        Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) }, closed),
      ),
      totals: Type.Object(
        { dependencies: Type.Integer(), dependents: Type.Integer(), external: Type.Integer(), ...totals },
        closed,
      ),
      unresolved_count: Type.Integer({
        description: 'Calls with an unknown target, which may be missing here',
      }),
      truncated: Type.Boolean(),
      mermaid: Type.Optional(Type.String()),
      dot: Type.Optional(Type.String()),
      ...graphState,
    },
    closedAs('Dependencies'),
  ),
  effect: 'read',
  conflicts: true,
  level: 'light',
  access: projectAccess,
  http: { method: 'POST', path: '/v1/graph/dependencies' },
  text: dependenciesText,
  uses: { graphs: ProjectGraphs, directory: ProjectDirectory },
  async handler(request, { graphs, directory }, { admission }) {
    const { project_id, direction, kinds, min_confidence, limit, format } = request;
    const { graph, index } = await graphs.read(project_id, admission.workspaceId);
    const target = findTarget(graph, index, request.target, 'target');
    const found = dependenciesOf(graph, target, {
      direction,
      maxDepth: request.include_transitive ? MAX_DEPTH : (request.max_depth ?? 1),
      kinds,
      minConfidence: min_confidence,
      limit,
    });
    const { dependencies, dependents, external } = found;
    const item = (one: (typeof dependencies)[number]) => relatedItem(graph, one);
    const steps = [...dependencies, ...dependents].flatMap((one) => one.steps);
    const diagram = format === 'json' ? undefined : diagramOf(graph, target, steps, format);
    return {
      target: symbolView(graph, target),
      dependencies: dependencies.map(item),
      dependents: dependents.map(item),
      cycles: found.cycles.map((cycle) => cycle.map((node) => graph.id(node))),
      external: await withVersions(external.slice(0, MAX_EXTERNAL), graph.path(target), (paths) =>
        directory.texts(project_id, paths, admission.workspaceIds),
      ),
      totals: {
        dependencies: found.totals.out?.total ?? 0,
        dependents: found.totals.in?.total ?? 0,
        external: external.length,
        ...countsOf([found.totals.out ?? [], found.totals.in ?? []].flat()),
      },
      unresolved_count: found.unresolved,
      truncated: found.truncated || external.length > MAX_EXTERNAL || diagram?.truncated === true,
      ...(diagram && { [format]: diagram.text }),
      ...stateOf(graph, index),
    };
  },
});
