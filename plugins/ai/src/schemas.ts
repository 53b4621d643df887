import { Id, closed, nullable, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type, type Static } from 'typebox';

export const ProjectId = Id('Project', 'projects_list');
export const Query = Type.String({ minLength: 1, maxLength: 4000, description: 'What the context is for' });
export const MAX_TOKENS = { minimum: 100, maximum: 100_000 } as const;
/** The most tokens of one answer over MCP, whatever was asked for. */
export const MAX_TOKENS_MCP = 20_000;
/** MCP serves results whose JSON is as many by the estimate of core; less what is around the sections. */
export const MAX_ESTIMATE_MCP = MAX_TOKENS_MCP - 750;

export const contextInput = {
  query: Query,
  workspace_id: WorkspaceId,
  project_id: Type.Optional(ProjectId),
  max_tokens: Type.Integer({
    ...MAX_TOKENS,
    default: 4000,
    description: `Never more than this; over MCP at most ${MAX_TOKENS_MCP}`,
  }),
  include: Type.Array(Type.Enum(['code', 'docs', 'graph']), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    default: ['code', 'docs', 'graph'],
    description: 'Sources; graph: also what the found code calls',
  }),
  include_tests: Type.Boolean({ default: false, description: 'Also tests' }),
  max_sections: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Max sections' }),
  format: Type.Enum(['markdown', 'xml', 'json'], { default: 'markdown', description: 'Of context' }),
};

const Section = Type.Object(
  {
    title: Type.String(),
    kind: Type.Enum(['code', 'doc', 'decision', 'constraint', 'lesson', 'memory', 'graph']),
    path: Type.Optional(Type.String()),
    project_id: Type.Optional(Type.String({ description: 'Of the file' })),
    id: Type.Optional(Type.String()),
    start_line: Type.Optional(Type.Integer()),
    end_line: Type.Optional(Type.Integer()),
    tokens: Type.Integer(),
    score: Type.Number(),
    reason: Type.String(),
  },
  closedAs('ContextSection'),
);

export const ContextAnswer = Type.Object(
  {
    context: Type.String(),
    token_estimate: Type.Integer({ description: 'Tokens of context by the tokenizer' }),
    tokenizer: Type.String(),
    sections: Type.Array(Section),
    budget: Type.Object(
      {
        max: Type.Integer(),
        used: Type.Integer(),
        dropped: Type.Integer({ description: 'Sections that were found and did not fit' }),
      },
      closed,
    ),
    index: Type.Object({ state: Type.String(), generation: Type.Integer(), pending: Type.Integer() }, closed),
    took_ms: Type.Integer(),
    warnings: Type.Array(Type.String()),
  },
  closedAs('ContextAnswer'),
);
export type ContextAnswer = Static<typeof ContextAnswer>;

const Titled = Type.Array(Type.Object({ id: Type.String(), title: Type.String() }, closed));
const OrientedWorkspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    role: Type.String(),
    index: Type.Object({ state: Type.String(), generation: Type.Integer(), pending: Type.Integer() }, closed),
    projects: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed)),
    recent_decisions: Titled,
    open_tasks: Titled,
  },
  closedAs('OrientedWorkspace'),
);
export type OrientedWorkspace = Static<typeof OrientedWorkspace>;

export const Orientation = Type.Object(
  {
    workspaces: Type.Array(OrientedWorkspace),
    total: Type.Integer({ description: 'Workspaces that you may use' }),
    current: nullable(
      Type.Object(
        { workspace_id: Type.String(), project_id: nullable(Type.String()) },
        { ...closed, description: 'The ids to pass on; null where several are possible' },
      ),
    ),
    guide: Type.Array(
      Type.Object(
        { tool: Type.String(), use: Type.String() },
        { ...closed, description: 'What to call when' },
      ),
    ),
  },
  closedAs('Orientation'),
);
export type Orientation = Static<typeof Orientation>;
