import { invalidArgument, type JsonSchema } from '@service-mcp/core';

/** Turns the text of one query or path parameter into the value its schema asks for; text that does not fit stays text. */
export type Coerce = (text: string) => unknown;

/** How one argument is read from a query string. */
export interface Coercion {
  readonly one: Coerce;
  /** True where the schema takes an array: repeated keys, or one comma-separated value. */
  readonly many: boolean;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const asText: Coerce = (text) => text;
const asNumber: Coerce = (text) => (text.length < 32 && NUMBER.test(text) ? Number(text) : text);
const asBoolean: Coerce = (text) => (text === 'true' ? true : text === 'false' ? false : text);
const asNumberOrBoolean: Coerce = (text) => {
  const value = asBoolean(text);
  return value === text ? asNumber(text) : value;
};

/** Text as it is: what becomes of a parameter that the tool does not declare, so that its validator can name it. */
export const AS_TEXT: Coercion = { one: asText, many: false };

/** The coercion of a property. Where its schema takes text besides other types, text wins. */
export function coercionOf(property: JsonSchema): Coercion {
  const types = typesOf(property);
  if (types.has('array') && !types.has('string')) {
    const items = arraySchema(property)?.['items'];
    return { one: isSchema(items) ? scalar(typesOf(items)) : asText, many: true };
  }
  return { one: scalar(types), many: false };
}

/** Reads the value(s) of one query parameter. Throws INVALID_ARGUMENT where a single value is given twice. */
export function coerce(name: string, given: string | string[], { one, many }: Coercion): unknown {
  if (typeof given === 'string') {
    if (!many) return one(given);
    return given === '' ? [] : given.split(',').map(one);
  }
  if (many) return given.map(one);
  throw invalidArgument(`/${name.slice(0, 64)}`, `is given ${given.length} times in the query; give it once`);
}

function scalar(types: ReadonlySet<string>): Coerce {
  if (types.has('string')) return asText;
  const number = types.has('integer') || types.has('number');
  if (types.has('boolean')) return number ? asNumberOrBoolean : asBoolean;
  return number ? asNumber : asText;
}

/** The JSON types that a schema admits, through `enum`, `const` and one level of alternatives. */
function typesOf(schema: JsonSchema): Set<string> {
  const { type } = schema;
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  if (Array.isArray(schema['enum'])) return new Set(schema['enum'].map((value) => typeof value));
  if ('const' in schema) return new Set([typeof schema['const']]);
  return new Set(alternatives(schema).flatMap((branch) => [...typesOf(branch)]));
}

function arraySchema(schema: JsonSchema): JsonSchema | undefined {
  if (schema['items'] !== undefined) return schema;
  return alternatives(schema).find((branch) => branch['items'] !== undefined);
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) ? branches.filter(isSchema) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
