import { Id, closed } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { EDGE_KINDS, REASONS } from './query/file-part.js';
import { TARGET_TYPES } from './query/targets.js';

export const ProjectId = Id('Project', 'projects_list');
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

export const FilePath = word('File: src/store.ts', 1024);

export const Target = (description: string) =>
  Type.Object(
    {
      type: Type.Enum([...TARGET_TYPES], { description: 'module: a file' }),
      id: Type.Optional(word('src/store.ts#UserStore.get', 2048)),
      path: Type.Optional(FilePath),
      name: Type.Optional(word('get or UserStore.get', 512)),
    },
    { ...closed, description },
  );

export const EdgeKinds = Type.Array(Type.Enum([...EDGE_KINDS]), {
  minItems: 1,
  maxItems: EDGE_KINDS.length,
  uniqueItems: true,
  description: 'Only these edges. Default: all but contains',
});
export const Depth = (maximum: number, initial: number) =>
  Type.Integer({ minimum: 1, maximum, default: initial, description: 'Most steps' });
export const Limit = (maximum: number, initial: number) =>
  Type.Integer({ minimum: 1, maximum, default: initial, description: 'Most items of a list' });

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
  closed,
);
export type GraphSymbol = Static<typeof GraphSymbol>;

const edge = {
  kind: Type.Enum([...EDGE_KINDS]),
  path: Type.String(),
  line: Type.Integer(),
  confidence: Type.Number({ description: '0 to 1' }),
  reason: Type.Enum([...REASONS]),
};
export const Edge = Type.Object(edge, closed);
export const EdgeWithSnippet = Type.Object({ ...edge, snippet: Type.String() }, closed);

const reached = {
  symbol: GraphSymbol,
  depth: Type.Integer({ description: 'Steps from the target' }),
  area: Type.String({ description: 'Directory that it is counted under' }),
  confidence: Type.Number({ description: 'Of the most certain way there, 0 to 1' }),
};
export const Related = Type.Object({ ...reached, via: Type.Array(Edge) }, closed);
export type Related = Static<typeof Related>;
export const Affected = Type.Object({ ...reached, via: Type.Array(EdgeWithSnippet) }, closed);
export type Affected = Static<typeof Affected>;

const Counts = (description: string) =>
  Type.Object({}, { additionalProperties: Type.Integer(), description });
export const totals = {
  by_depth: Counts('By number of steps'),
  by_area: Counts('By directory, the largest first; the small ones together under (other)'),
};

/** What every answer says about the graph that it comes from. */
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
