import { Page, closed, defineTool, pageOf, paging, closedAs } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { stateOf } from '../query/answer-parts.js';
import { CYCLE_LEVELS, cyclesOf, type Cycle } from '../query/cycles.js';
import type { ProjectGraph } from '../query/project-graph.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { edgeView } from '../query/symbol-view.js';
import { cyclesText } from '../list-texts.js';
import { Edge, ProjectId, graphState, projectAccess } from '../schemas.js';

/** Members and steps shown of one cycle. */
const MAX_MEMBERS = 50;

const CycleItem = Type.Object(
  {
    level: Type.Enum([...CYCLE_LEVELS]),
    size: Type.Integer({ description: 'Symbols that all depend on each other' }),
    members: Type.Array(Type.String({ description: 'Id' })),
    cycle: Type.Array(Type.Object({ id: Type.String(), via: Edge }, closed), {
      description: 'A shortest one: each symbol, and its edge to the next',
    }),
  },
  closedAs('Cycle'),
);

export const listCycles = defineTool({
  name: 'graph_cycles',
  title: 'Cycles in code',
  description:
    'Lists modules that import each other in a circle, and functions that call each other, the largest circles first, with the edges to cut.',
  input: Type.Object(
    {
      project_id: ProjectId,
      level: Type.Optional(Type.Enum([...CYCLE_LEVELS], { description: 'Only of modules, or of functions' })),
      ...paging,
    },
    closed,
  ),
  output: Type.Object({ ...Page(CycleItem).properties, ...graphState }, closedAs('Cycles')),
  effect: 'read',
  access: projectAccess,
  http: { method: 'GET', path: '/v1/graph/cycles' },
  text: cyclesText,
  uses: { graphs: ProjectGraphs },
  async handler({ project_id, level, page, per_page }, { graphs }, { admission }) {
    const { graph, index } = await graphs.read(project_id, admission.workspaceId);
    const cycles = cyclesOf(graph).filter((cycle) => level === undefined || cycle.level === level);
    const shown = cycles
      .slice((page - 1) * per_page, page * per_page)
      .map((cycle) => cycleItem(graph, cycle));
    return { ...pageOf(shown, cycles.length, { page, per_page }), ...stateOf(graph, index) };
  },
});

function cycleItem(graph: ProjectGraph, { level, members, edges }: Cycle): Static<typeof CycleItem> {
  const { sources, targets } = graph.rows;
  return {
    level,
    size: members.length,
    members: members.slice(0, MAX_MEMBERS).map((node) => graph.id(node)),
    cycle: edges.slice(0, MAX_MEMBERS).map((edge) => {
      const [source, target] = [sources[edge]!, targets[edge]!];
      const member = level === 'module' ? graph.moduleOf(source) : source;
      return { id: graph.id(member), via: edgeView(graph, { source, target, edge }) };
    }),
  };
}
