import { closed, defineTool, closedAs } from '@service-mcp/core';
import { Type } from 'typebox';
import { stateOf } from '../query/answer-parts.js';
import { EDGE_KINDS } from '../query/file-part.js';
import { OVERVIEW_LEVELS, overviewOf } from '../query/overview.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { overviewText } from '../list-texts.js';
import { ProjectId, graphState, projectAccess } from '../schemas.js';

const count = Type.Integer();

export const readOverview = defineTool({
  name: 'graph_overview',
  title: 'Map of a project',
  description:
    'Draws the map of a project: its directories or files, their sizes and positions, and how many edges run between them.',
  input: Type.Object(
    {
      project_id: ProjectId,
      level: Type.Enum([...OVERVIEW_LEVELS], {
        default: 'area',
        description: 'area: directories; module: files',
      }),
      path_prefix: Type.String({ maxLength: 1024, default: '', description: 'Start of the paths' }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 5000,
        default: 200,
        description: 'Most nodes, the largest',
      }),
    },
    closed,
  ),
  output: Type.Object(
    {
      nodes: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            path: Type.String(),
            area: Type.String({ description: 'Directory it is counted under' }),
            symbols: count,
            files: count,
            x: Type.Number(),
            y: Type.Number(),
          },
          closed,
        ),
      ),
      edges: Type.Array(
        Type.Object(
          { source: Type.String(), target: Type.String(), kind: Type.Enum([...EDGE_KINDS]), count },
          closed,
        ),
      ),
      totals: Type.Object({ nodes: count, edges: count, files: count, symbols: count }, closed),
      truncated: Type.Boolean(),
      ...graphState,
    },
    closedAs('GraphOverview'),
  ),
  effect: 'read',
  access: projectAccess,
  http: { method: 'GET', path: '/v1/graph/overview' },
  text: overviewText,
  uses: { graphs: ProjectGraphs },
  async handler({ project_id, level, path_prefix, limit }, { graphs }, { admission }) {
    const { graph, index } = await graphs.read(project_id, admission.workspaceId);
    const { nodes, edges, ...rest } = await overviewOf(graph, { level, pathPrefix: path_prefix, limit });
    return { nodes: [...nodes], edges: [...edges], ...rest, ...stateOf(graph, index) };
  },
});
