/** Reads keywords of a schema that somebody else wrote: what is not of the form that JSON Schema says counts as absent. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema, which may be a boolean; undefined where the keyword holds none. */
export function schemaAt(schema: JsonSchema, keyword: string): JsonSchema | boolean | undefined {
  const value = own(schema, keyword);
  return typeof value === 'boolean' || isSchemaObject(value) ? value : undefined;
}

export function schemasAt(schema: JsonSchema, keyword: string): readonly (JsonSchema | boolean)[] {
  const value = own(schema, keyword);
  if (!Array.isArray(value)) return [];
  return value.filter((each: unknown) => typeof each === 'boolean' || isSchemaObject(each));
}

/** Schemas by name: of `properties`, `patternProperties`, `$defs`. */
export function namedSchemas(
  schema: JsonSchema,
  keyword: string,
): readonly (readonly [string, JsonSchema | boolean])[] {
  const value = own(schema, keyword);
  if (!isSchemaObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const each = schemaAt(value, name);
    return each === undefined ? [] : [[name, each] as const];
  });
}

export function numberAt(schema: JsonSchema, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

export function textAt(schema: JsonSchema, keyword: string): string | undefined {
  const value = own(schema, keyword);
  return typeof value === 'string' ? value : undefined;
}

export function textsAt(schema: JsonSchema, keyword: string): readonly string[] {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A keyword's value, never one that every object inherits. */
export function own(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

/** What `#/$defs/node` points to in the schema that it stands in. */
export function pointedAt(root: JsonSchema, reference: string): JsonSchema | boolean | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let at: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const step = decoded(part)?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || step === undefined || !Object.hasOwn(at, step))
      return undefined;
    at = (at as Record<string, unknown>)[step]; // its own, as just seen
  }
  return typeof at === 'boolean' || isSchemaObject(at) ? at : undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
