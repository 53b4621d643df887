import { invalidArgument, projectPath } from '@service-mcp/core';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';
import type { DocumentKind, IndexSource, RankedDocument } from '../../contract.js';
import { PatternInput, type SearchOutput, type SearchRequest } from '../../schemas.js';

/** A request with its defaults. */
export interface Settings extends PatternInput {
  /** Kinds of document that are searched. */
  readonly kinds: readonly DocumentKind[];
  /** They are all that the sources yield. */
  readonly everyKind: boolean;
  /** True where documents are ranked without their texts. */
  readonly ranking: boolean;
  /** Words of the query that need not be held: see `RankRequest`. */
  readonly understood?: string;
}

/** The part of an answer that depends on the mode. */
export type Found = Pick<
  SearchOutput,
  'results' | 'total' | 'total_is_lower_bound' | 'facets' | 'warnings'
> & {
  /** The page of a ranking, which has no results. */
  readonly documents?: readonly RankedDocument[];
};

/** None is nested. Not by `typebox/value`: it loads 300 modules, in every start of a service. */
const DEFAULTS = Object.fromEntries(
  Object.entries<object>(PatternInput.properties).flatMap(([field, schema]) =>
    'default' in schema ? [[field, schema.default]] : [],
  ),
);

/** Throws INVALID_ARGUMENT for a kind that no source yields. */
export function settingsOf(
  request: SearchRequest,
  {
    sources,
    syntax,
  }: { readonly sources: readonly IndexSource[]; readonly syntax: Pick<Syntax, 'languageNamed'> },
  ranking = false,
): Settings {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  const input = { ...DEFAULTS, ...Object.fromEntries(given) } as PatternInput; // a request lacks nothing but defaults
  const kinds = kindsOf(input.filters?.kinds ?? [], sources);
  const everyKind = sources.every((source) => source.kinds.every((kind) => kinds.includes(kind)));
  return {
    ...input,
    ...(input.filters && { filters: normalised(input.filters, syntax) }),
    ranking,
    kinds,
    everyKind,
  };
}

type Filters = NonNullable<PatternInput['filters']>;

/** Paths of documents are relative: `./src` and `/src` mean `src`, `src\query` means `src/query`. Languages have several names: `ts` means `typescript`. */
function normalised(filters: Filters, syntax: Pick<Syntax, 'languageNamed'>): Filters {
  const { path_prefix, languages, ...rest } = filters;
  return {
    ...rest,
    ...(path_prefix !== undefined && { path_prefix: projectPath(path_prefix) }),
    ...(languages && { languages: languages.map((name) => syntax.languageNamed(name)) }),
  };
}

/** Memory's kinds are known to every deployment: without the plugin they find nothing. */
const ALWAYS_KNOWN = ['code', 'doc', 'event', 'node'];

function kindsOf(named: readonly DocumentKind[], sources: readonly IndexSource[]): readonly DocumentKind[] {
  const known = new Set([...ALWAYS_KNOWN, ...sources.flatMap(({ kinds }) => kinds)]);
  const unknown = named.find((kind) => !known.has(kind));
  if (unknown !== undefined) {
    const kinds = [...known].sort().join(', ');
    throw invalidArgument('/filters/kinds', `"${unknown}" is not a kind of document here: use ${kinds}`);
  }
  if (named.length > 0) return named;
  const byDefault = sources.filter(
    (source) => source.searchedByDefault !== false && source.scope === undefined,
  );
  return [...new Set(byDefault.flatMap(({ kinds }) => kinds))];
}
