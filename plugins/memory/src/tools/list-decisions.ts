import { TimeOrDay, Page, closed, closedAs, defineTool, paging } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { AskedIndex, Decision } from '../answers.js';
import { decisionsText } from '../list-texts.js';
import { NodeStatus, ProjectId, utc } from '../schemas.js';
import { Decisions } from '../services/decisions.js';
import { MemorySearch } from '../services/memory-search.js';

export const listDecisions = defineTool({
  name: 'memory_decisions',
  title: 'Decisions of a workspace',
  description:
    'What was decided, newest first or by a query, with reasons and successors; in force now or as_of, unless a status is given.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      query: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4000,
          description: 'Their subject; best first',
        }),
      ),
      project_id: Type.Optional(ProjectId),
      status: { ...NodeStatus, default: 'active' },
      as_of: Type.Optional(TimeOrDay('As it was then', 'within')),
      since: Type.Optional(TimeOrDay('From this time on')),
      until: Type.Optional(TimeOrDay('Before this time', 'next')),
      ...paging,
    },
    closed,
  ),
  output: Type.Object(
    {
      ...Page(Decision).properties,
      superseded: Type.Optional(
        Type.Integer({ description: 'With since or until: others of that time, which no longer hold' }),
      ),
      index: Type.Optional({
        ...AskedIndex,
        description: 'With query: what is not indexed yet is found by its words alone',
      }),
    },
    closedAs('DecisionPage'),
  ),
  effect: 'read',
  level: 'standard',
  access: { scope: 'memory:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/memory/search/decisions' },
  text: decisionsText,
  uses: { decisions: Decisions, search: MemorySearch },
  async handler({ workspace_id, query, as_of, since, until, ...request }, { decisions, search }, call) {
    const { project_id } = request;
    const then = as_of === undefined ? undefined : utc(as_of);
    const found =
      query === undefined
        ? undefined
        : await search.decisionIds({ query, workspace_id, project_id, as_of: then }, call);
    const asked = {
      ...request,
      project_id,
      as_of: then,
      since: since === undefined ? undefined : utc(since),
      until: until === undefined ? undefined : utc(until),
      ...(found && { ranked: found.ids }),
    };
    const page = await decisions.list(asked);
    const isOfTime = (since !== undefined || until !== undefined) && request.status === 'active';
    const left = { ...asked, status: 'superseded', page: 1, per_page: 1 } as const;
    const superseded = isOfTime ? (await decisions.list(left)).total : undefined;
    return { ...page, ...(superseded !== undefined && { superseded }), ...(found && { index: found.index }) };
  },
});
