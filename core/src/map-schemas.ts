/** Plain JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

const OF_SCHEMAS: ReadonlySet<string> = new Set(['properties', '$defs', 'patternProperties']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else']);

/** A copy of a schema, with `change` applied to it and to every schema in it, from the inside out. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const map = (part: unknown): unknown => (isSchema(part) ? mapSchemas(part, change) : part);
  const entries = Object.entries(schema).map(([key, part]): [string, unknown] => {
    if (LISTS.has(key) && Array.isArray(part)) return [key, part.map(map)];
    if (OF_SCHEMAS.has(key) && isSchema(part))
      return [key, Object.fromEntries(Object.entries(part).map(([name, one]) => [name, map(one)]))];
    return [key, ONE.has(key) ? map(part) : part];
  });
  return change(Object.fromEntries(entries));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
