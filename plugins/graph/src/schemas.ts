import { Id, closed, closedAs } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { EDGE_KINDS, REASONS } from './query/file-part.js';
import { TARGET_TYPES } from './query/targets.js';

export const ProjectId = Id('Project', 'projects_list');
/** Access of the tools that query the graph of a project. */
export const projectAccess = { scope: 'graph:read', in: { resource: 'project', id: 'project_id' } } as const;
export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'module',
  'variable',
  'heading',
] as const;

const word = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });

const FilePath = word('File: src/store.ts', 1024);

export const Target = (description: string) =>
  Type.Object(
    {
      type: Type.Enum([...TARGET_TYPES], { description: 'module: a file' }),
      id: Type.Optional(word('src/store.ts#UserStore.get', 2048)),
      path: Type.Optional(FilePath),
      name: Type.Optional(word('get or UserStore.get', 512)),
    },
    { ...closedAs('CodeTarget'), description },
  );

export const EdgeKinds = Type.Array(Type.Enum([...EDGE_KINDS]), {
  minItems: 1,
  maxItems: EDGE_KINDS.length,
  uniqueItems: true,
  description: 'Only these edges. Default: all but contains',
});
export const Depth = (maximum: number, initial: number) =>
  Type.Integer({ minimum: 1, maximum, default: initial, description: 'Max steps' });
export const Limit = (maximum: number, initial: number) =>
  Type.Integer({ minimum: 1, maximum, default: initial, description: 'Max items per list' });

export const GraphSymbol = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    qualified_name: Type.String(),
    kind: Type.Enum([...SYMBOL_KINDS]),
    path: Type.String(),
    start_line: Type.Integer(),
    end_line: Type.Integer(),
    signature: Type.String(),
  },
  closedAs('GraphSymbol'),
);
export type GraphSymbol = Static<typeof GraphSymbol>;

const edge = {
  kind: Type.Enum([...EDGE_KINDS]),
  path: Type.String(),
  line: Type.Integer(),
  confidence: Type.Number({ description: '0 to 1' }),
  reason: Type.Enum([...REASONS]),
};
export const Edge = Type.Object(edge, closedAs('GraphEdge'));
const EdgeWithSnippet = Type.Object({ ...edge, snippet: Type.String() }, closedAs('GraphEdgeWithSnippet'));

const reached = {
  symbol: GraphSymbol,
  depth: Type.Integer({ description: 'Steps from the target' }),
  area: Type.String({ description: 'Directory it is counted under' }),
  confidence: Type.Number({ description: 'Of the most certain path to it, 0 to 1' }),
};
export const Related = Type.Object({ ...reached, via: Type.Array(Edge) }, closedAs('RelatedSymbol'));
export type Related = Static<typeof Related>;
export const Affected = Type.Object(
  { ...reached, via: Type.Array(EdgeWithSnippet) },
  closedAs('AffectedSymbol'),
);
export type Affected = Static<typeof Affected>;

const Counts = (description: string) =>
  Type.Object({}, { additionalProperties: Type.Integer(), description });
export const totals = {
  by_depth: Counts('By number of steps'),
  by_area: Counts('By directory, the largest first; small ones are summed as (other)'),
};

/** The state of the graph, in every answer. */
export const graphState = {
  index: Type.Object(
    {
      state: Type.Enum(['not_indexed', 'empty', 'indexing', 'ready', 'degraded']),
      generation: Type.Integer(),
      pending: Type.Integer(),
    },
    closed,
  ),
  warnings: Type.Array(Type.String()),
};
const State = Type.Object(graphState, closed);
export type GraphState = Static<typeof State>;
