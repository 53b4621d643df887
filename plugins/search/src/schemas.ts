import { closed, Id, TimeOrDay, nullable, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type, type Static } from 'typebox';

const words = (description: string, most: number) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: most, description }));

const FACETS = ['languages', 'kinds', 'directories', 'projects'] as const;
export type FacetName = (typeof FACETS)[number];

const Filters = Type.Object(
  {
    languages: words('Any of these, such as typescript', 20),
    path_prefix: Type.Optional(Type.String({ maxLength: 1024, description: 'Start of the path' })),
    path_glob: Type.Optional(
      Type.String({ maxLength: 1024, description: 'src/**/*.ts, or a file name such as *.md' }),
    ),
    kinds: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }), {
        maxItems: 20,
        description:
          'code, doc, event, node, or another kind that a plugin adds. Default: all but event and node',
      }),
    ),
    tags: words('All of these', 20),
    modified_after: Type.Optional(TimeOrDay('Changed at or after this time (RFC 3339)')),
    modified_before: Type.Optional(TimeOrDay('Changed before this time (RFC 3339)')),
  },
  { ...closedAs('SearchFilters'), description: 'Narrows what is searched' },
);

/** Arguments of the four modes. */
export const searchInput = {
  query: Type.String({ minLength: 1, maxLength: 4000, description: 'What to find' }),
  workspace_id: WorkspaceId,
  project_id: Type.Optional(Id('Project', 'projects_list')),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Max results' }),
  offset: Type.Integer({ minimum: 0, maximum: 1000, default: 0, description: 'Results to skip' }),
  filters: Type.Optional(Filters),
  context_lines: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description: 'Lines added around a result',
  }),
  content_max_chars: Type.Integer({
    minimum: 50,
    maximum: 10000,
    default: 800,
    description: 'Text of a result',
  }),
  output_format: Type.Enum(['full', 'paths', 'count'], {
    default: 'full',
    description: 'paths: one result per file, no text. count: only the total (pattern: of matches)',
  }),
  min_score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e6, description: "Min score, on this mode's scale" }),
  ),
  facets: Type.Optional(
    Type.Array(Type.Enum([...FACETS]), { maxItems: 4, description: 'Count all matches by these' }),
  ),
};

export const SearchInput = Type.Object(searchInput, closedAs('SearchInput'));

/** Arguments of the pattern mode. */
export const PatternInput = Type.Object(
  {
    ...searchInput,
    query: Type.String({ minLength: 1, maxLength: 4000, description: 'RE2 regular expression' }),
    case_sensitive: Type.Boolean({ default: true, description: 'Match case' }),
    multiline: Type.Boolean({ default: false, description: 'A match may span lines' }),
    whole_word: Type.Boolean({ default: false, description: 'Match whole words' }),
  },
  closedAs('PatternInput'),
);

/** The parts of a hit that tell how it was found. */
export const hitParts = {
  scores: Type.Object(
    {
      semantic: Type.Optional(Type.Number()),
      keyword: Type.Optional(Type.Number()),
      fused: Type.Optional(Type.Number()),
    },
    closedAs('SearchScores'),
  ),
  highlights: Type.Array(
    Type.Object(
      { start: Type.Integer(), end: Type.Integer(), line: Type.Integer(), column: Type.Integer() },
      { ...closedAs('Highlight'), description: 'Offsets in content; line and column in the file' },
    ),
  ),
};

const Result = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    project_id: nullable(Type.String()),
    path: Type.String(),
    language: nullable(Type.String()),
    start_line: Type.Integer(),
    end_line: Type.Integer(),
    title: Type.String(),
    content: Type.String(),
    truncated: Type.Boolean(),
    score: Type.Number(),
    ...hitParts,
    symbol: Type.Optional(Type.String()),
    updated_at: Type.String(),
    stale: Type.Boolean({ description: 'Changed since it was indexed' }),
    standing: Type.Optional(
      Type.String({
        description: 'How a record stands, where it is not simply in force: superseded, disputed',
      }),
    ),
  },
  closedAs('SearchHit'),
);

const Counts = Type.Optional(
  Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }, closed)),
);

const Facets = Type.Object(
  { languages: Counts, kinds: Counts, directories: Counts, projects: Counts },
  {
    ...closedAs('SearchFacets'),
    description:
      'Counted as total is (a lower bound where it is one), largest first, 50 values each. directories: the first level where paths differ',
  },
);

export const SearchOutput = Type.Object(
  {
    mode: Type.String(),
    results: Type.Array(Result),
    total: Type.Integer(),
    total_is_lower_bound: Type.Boolean(),
    took_ms: Type.Integer(),
    has_more: Type.Boolean(),
    facets: Type.Optional(Facets),
    index: Type.Object(
      {
        state: Type.Enum(['not_indexed', 'empty', 'indexing', 'ready', 'degraded']),
        generation: Type.Integer(),
        pending: Type.Integer(),
      },
      closed,
    ),
    warnings: Type.Array(Type.String()),
  },
  closedAs('SearchOutput'),
);

export type SearchMode = 'semantic' | 'hybrid' | 'keyword' | 'pattern';

export type SearchInput = Static<typeof SearchInput>;
export type PatternInput = Static<typeof PatternInput>;
/** Arguments of any mode; those with a default may be left out, and those of the pattern mode alone do nothing elsewhere. */
export type SearchRequest = Pick<PatternInput, 'query' | 'workspace_id'> & Partial<PatternInput>;
export type SearchOutput = Static<typeof SearchOutput>;
export type SearchFacets = Static<typeof Facets>;
export type SearchResult = SearchOutput['results'][number];
