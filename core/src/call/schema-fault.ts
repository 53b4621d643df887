import { suggest } from '../boot/boot-error.js';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema, and those whose value is a list of schemas or schemas by name. */
const ONE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]);
const MANY = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'prefixItems',
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
]);

/** Keywords and formats of a validator. */
export interface Vocabulary {
  readonly isKeyword: (word: string) => boolean;
  readonly formats: readonly string[];
}

/**
 * The reason that a valid JSON Schema could not be compiled: an unknown keyword or format, a pattern that is not a regular
 * expression, a reference into nothing. With the JSON Pointer of the place; undefined where it compiles.
 */
export function schemaFault(schema: Schema, vocabulary: Vocabulary): string | undefined {
  const visit = (at: Schema, path: string): string | undefined => {
    for (const [keyword, value] of Object.entries(at)) {
      const fault = ownFault(keyword, value, `${path}/${keyword}`, schema, vocabulary);
      if (fault !== undefined) return fault;
      for (const [below, place] of subschemas(keyword, value)) {
        const found = visit(below, `${path}/${keyword}${place}`);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return visit(schema, '');
}

function ownFault(
  keyword: string,
  value: unknown,
  path: string,
  root: Schema,
  { isKeyword, formats }: Vocabulary,
): string | undefined {
  if (!isKeyword(keyword)) return `${path}: there is no keyword "${keyword}"`;
  const patterns =
    keyword === 'pattern'
      ? [String(value)]
      : keyword === 'patternProperties'
        ? Object.keys(value as Schema)
        : [];
  for (const pattern of patterns) {
    try {
      RegExp(pattern, 'u'); // as Ajv compiles it
    } catch (error) {
      return `${path}: ${(error as Error).message}`;
    }
  }
  if (keyword === 'format' && !formats.includes(String(value))) {
    return `${path}: there is no format "${String(value)}". ${suggest(String(value), formats)}`;
  }
  if (keyword === '$ref' && !leadsSomewhere(String(value), root))
    return `${path}: "${String(value)}" is not in the schema`;
  return undefined;
}

function leadsSomewhere(reference: string, root: Schema): boolean {
  if (reference === '#') return true;
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(reference) ?? [];
  return name !== undefined && name in ((root['$defs'] ?? {}) as Schema);
}

function subschemas(keyword: string, value: unknown): ReadonlyArray<readonly [Schema, string]> {
  if (typeof value !== 'object' || value === null) return []; // `additionalProperties: false`
  if (ONE.has(keyword)) return [[value as Schema, '']];
  if (!MANY.has(keyword)) return [];
  return Object.entries(value as Schema).map(([name, below]) => [below as Schema, `/${name}`]);
}
