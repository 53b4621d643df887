import { Page, closed, defineTool, oneLine, pageText, paging, closedAs, plural } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Finding, FINDING_KINDS } from '../answers.js';
import { Hygiene } from '../services/hygiene.js';

export const reportHygiene = defineTool({
  name: 'memory_hygiene',
  title: 'Check memory for junk and duplicates',
  description:
    'Finds duplicates, junk, stale and contradicting records in the memory of a workspace, each with what to do about it. Changes nothing.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      kind: Type.Optional(Type.Enum(FINDING_KINDS, { description: 'Only findings of this kind' })),
      ...paging,
    },
    closed,
  ),
  output: Type.Object(
    {
      ...Page(Finding).properties,
      counts: Type.Object(
        {
          duplicate: Type.Integer(),
          contradiction: Type.Integer(),
          junk: Type.Integer(),
          stale: Type.Integer(),
        },
        { ...closed, description: 'Findings of each kind, whatever kind was asked for' },
      ),
      unchecked: Type.Integer({ description: 'Records that changed too recently to be in it' }),
    },
    closedAs('HygieneReport'),
  ),
  effect: 'read',
  access: { scope: 'memory:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/memory/hygiene' },
  text: (page) => {
    const found = pageText(
      page,
      ({ kind, ids, titles, reason, suggestion }) =>
        `${kind} ${named(ids, titles)}: ${reason}. To do: ${suggestion}`,
    );
    return page.unchecked === 0 ? found : `${found}\nNot checked yet: ${plural(page.unchecked, 'record')}`;
  },
  uses: { hygiene: Hygiene },
  handler: ({ workspace_id: _workspace, ...request }, { hygiene }) => hygiene.report(request),
});

/** Records by their titles; of several with the same title it is said once. */
function named(ids: readonly string[], titles: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const [i, id] of ids.entries()) {
    const title = oneLine(titles[i] ?? '');
    groups.set(title, [...(groups.get(title) ?? []), id]);
  }
  return [...groups].map(([title, of]) => `${title} [${of.join(', ')}]`).join('; ');
}
