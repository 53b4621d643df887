import { Page, closed, defineTool, pageOf, paging, closedAs } from '@service-mcp/core';
import { Type } from 'typebox';
import { stateOf } from '../query/answer-parts.js';
import { findSymbols } from '../query/find-symbols.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { symbolView } from '../query/symbol-view.js';
import { symbolsText } from '../list-texts.js';
import { GraphSymbol, ProjectId, SYMBOL_KINDS, graphState, projectAccess } from '../schemas.js';

export const listSymbols = defineTool({
  name: 'graph_symbols',
  title: 'Symbols of a project',
  description:
    'Lists functions, types, variables and files of a project by name, path or kind, with their ids for other graph tools.',
  input: Type.Object(
    {
      project_id: ProjectId,
      query: Type.Optional(
        Type.String({ minLength: 1, maxLength: 500, description: 'A name, or a part of it' }),
      ),
      path: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1024, description: 'A file, or a directory' }),
      ),
      kind: Type.Optional(Type.Enum([...SYMBOL_KINDS], { description: 'Only these; a file is a module' })),
      ...paging,
    },
    closed,
  ),
  output: Type.Object({ ...Page(GraphSymbol).properties, ...graphState }, closedAs('GraphSymbols')),
  effect: 'read',
  access: projectAccess,
  http: { method: 'GET', path: '/v1/graph/symbols' },
  text: symbolsText,
  uses: { graphs: ProjectGraphs },
  async handler({ project_id, page, per_page, ...query }, { graphs }, { admission }) {
    const { graph, index } = await graphs.read(project_id, admission.workspaceId);
    const found = findSymbols(graph, query);
    const shown = found.slice((page - 1) * per_page, page * per_page).map((node) => symbolView(graph, node));
    return { ...pageOf(shown, found.length, { page, per_page }), ...stateOf(graph, index) };
  },
});
