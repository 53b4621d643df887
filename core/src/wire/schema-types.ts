import type { JsonSchema } from '../tool.js';
import { isRecord } from './rpc.js';

/** The JSON types that a schema admits, each once: of `type`, else of its constants, else of its alternatives. */
export function schemaTypes(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (type !== undefined) return [type].flat().map(String);
  const values = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']]);
  const types = Array.isArray(values)
    ? values.map((value) => typeof value)
    : alternativesOf(schema).flatMap(schemaTypes);
  return [...new Set(types)];
}

/** The schemas of `anyOf` or `oneOf`. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) ? branches.filter(isRecord) : [];
}
