import { Page, closed, defineTool, pageOf, paging, closedAs } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { stateOf } from '../query/answer-parts.js';
import { findPackageEntries } from '../query/package-entries.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { symbolView } from '../query/symbol-view.js';
import { findDecorated } from '../query/decorated.js';
import { findListed } from '../query/listed.js';
import { unusedSymbols } from '../query/unused.js';
import { unusedText } from '../list-texts.js';
import { GraphSymbol, ProjectId, graphState, projectAccess } from '../schemas.js';

const UnusedItem = Type.Object(
  { ...GraphSymbol.properties, reason: Type.String() },
  closedAs('UnusedSymbol'),
);

export const listUnused = defineTool({
  name: 'graph_unused',
  title: 'Unused code',
  description:
    'Lists functions, methods and types that cannot be reached from tests, entry files and files that package manifests name, with their exports, or decorated code, with the reason. Frameworks may use more: check before you delete.',
  input: Type.Object(
    {
      project_id: ProjectId,
      path_prefix: Type.String({ maxLength: 1024, default: '', description: 'Start of the paths' }),
      ...paging,
    },
    closed,
  ),
  output: Type.Object(
    {
      ...Page(UnusedItem).properties,
      uncertain: Type.Integer({
        description:
          'Left out: a call of their name has an unknown target, or an object of all exports of their module is passed on',
      }),
      ...graphState,
    },
    closedAs('UnusedSymbols'),
  ),
  effect: 'read',
  access: projectAccess,
  http: { method: 'GET', path: '/v1/graph/unused' },
  text: unusedText,
  uses: { graphs: ProjectGraphs, directory: ProjectDirectory },
  async handler({ project_id, path_prefix, page, per_page }, { graphs, directory }, { admission }) {
    const { graph, index } = await graphs.read(project_id, admission.workspaceId);
    const readTexts = (paths: readonly string[]) =>
      directory.texts(project_id, paths, admission.workspaceIds);
    const packages = await findPackageEntries(graph, readTexts);
    const roots = new Set<number>();
    const read = new Set<number>();
    let unused = unusedSymbols(graph, packages, roots);
    for (;;) {
      // Members of a class are listed once the class is used: by its decorator alone, too.
      const fresh = unused.symbols.flatMap(({ node }) => (read.has(node) ? [] : [node]));
      const decorated = await findDecorated(graph, fresh, readTexts);
      const others = [...decorated, ...(await findListed(graph, fresh, readTexts))];
      if (others.length === 0) break;
      for (const node of fresh) read.add(node);
      for (const node of others) roots.add(node);
      unused = unusedSymbols(graph, packages, roots);
    }
    const isBelow = (node: number) => graph.path(node).startsWith(path_prefix);
    const found = unused.symbols.filter(({ node }) => isBelow(node));
    const uncertain = unused.uncertain.filter(isBelow).length;
    const shown = found
      .slice((page - 1) * per_page, page * per_page)
      .map(({ node, reason }) => ({ ...symbolView(graph, node), reason }));
    return { ...pageOf(shown, found.length, { page, per_page }), uncertain, ...stateOf(graph, index) };
  },
});
