import type { JsonSchema } from '@service-mcp/core';

import { isRecord } from '@service-mcp/core/wire';
/** Readers of somebody else's schema: a keyword whose value has the wrong type counts as absent. */
export type Schema = JsonSchema | boolean;

/** json-schema-to-zod, for the parts that it prints correctly: a schema of objects, never of `true` or `false`. */
export type Library = (schema: JsonSchema) => string;
/** Prints a schema inside another one. */
export type Print = (schema: Schema) => string;

/** The schema that no value matches, as an object. */
export const NOTHING: JsonSchema = { not: {} };

/** A schema as an object, as json-schema-to-zod wants it. */
export function asObject(schema: Schema): JsonSchema {
  return typeof schema === 'boolean' ? (schema ? {} : NOTHING) : schema;
}

/** A keyword's own value, never one that every object inherits. */
export function own(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isRecord(value);
}

const isNumber = (value: unknown) => typeof value === 'number';
const isText = (value: unknown) => typeof value === 'string';

export const schemaAt = reader(isSchema);
export const numberAt = reader(isNumber);
export const textAt = reader(isText);
export const schemasAt = listReader(isSchema);
export const textsAt = listReader(isText);

function reader<T>(fits: (value: unknown) => value is T) {
  return (schema: JsonSchema, keyword: string): T | undefined => {
    const value = own(schema, keyword);
    return fits(value) ? value : undefined;
  };
}

function listReader<T>(fits: (value: unknown) => value is T) {
  return (schema: JsonSchema, keyword: string): readonly T[] => {
    const value = own(schema, keyword);
    return Array.isArray(value) ? value.filter(fits) : [];
  };
}

/** Schemas by name: of `properties`, `patternProperties`, `$defs`. */
export function namedSchemas(schema: JsonSchema, keyword: string): readonly (readonly [string, Schema])[] {
  const value = own(schema, keyword);
  return Object.entries(isRecord(value) ? value : {}).filter((entry): entry is [string, Schema] =>
    isSchema(entry[1]),
  );
}

/** The numbers that a schema has under these keywords. */
export function numbersAt(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  const pairs = keywords.map((keyword) => [keyword, numberAt(schema, keyword)]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** The schema that a reference such as `#/$defs/node` points to inside `root`. */
export function resolveReference(root: JsonSchema, reference: string): Schema | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let at: unknown = root;
  try {
    for (const part of reference.split('/').slice(1)) {
      const step = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at = typeof at === 'object' && at !== null ? own(at as JsonSchema, step) : undefined;
    }
  } catch {
    return undefined; // malformed escapes
  }
  return isSchema(at) ? at : undefined;
}
