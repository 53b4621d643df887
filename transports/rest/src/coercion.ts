import { invalidArgument, type JsonSchema } from '@service-mcp/core';
import { alternativesOf, isRecord, schemaTypes } from '@service-mcp/core/wire';

/** Turns the text of one query or path parameter into the value its schema asks for; text that does not fit stays text. */
export type Coerce = (text: string) => unknown;

/** The rule by which one argument is read from a query string. */
export interface Coercion {
  readonly one: Coerce;
  /** True where the schema takes an array: repeated keys, or one comma-separated value with `\,` for a comma in an item. */
  readonly many: boolean;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The end of a time whose `+` before the offset was not encoded, and so means a space. */
const SPACED_OFFSET = / (?=\d\d:\d\d$)(?<=\d:\d\d(?:\.\d+)? )/;
const asTime: Coerce = (text) => text.replace(SPACED_OFFSET, '+');

/** A comma that no backslash escapes. */
const SEPARATOR = /(?<!\\),/;

const asText: Coerce = (text) => text;
const asNumber: Coerce = (text) => (text.length < 32 && NUMBER.test(text) ? Number(text) : text);
const asBoolean: Coerce = (text) => (text === 'true' ? true : text === 'false' ? false : text);
const asNumberOrBoolean: Coerce = (text) => {
  const value = asBoolean(text);
  return value === text ? asNumber(text) : value;
};

/** Text as it is, for a parameter that the tool does not declare: its validator then names it. */
export const AS_TEXT: Coercion = { one: asText, many: false };

/** The coercion of a property. Where its schema takes text besides other types, text wins. */
export function coercionOf(property: JsonSchema): Coercion {
  const types = schemaTypes(property);
  if (types.includes('array') && !types.includes('string')) {
    const items = arraySchema(property)?.['items'];
    return { one: isRecord(items) ? scalar(schemaTypes(items)) : asText, many: true };
  }
  const isTime = [property, ...alternativesOf(property)].some(({ format }) => format === 'date-time');
  return { one: isTime ? asTime : scalar(types), many: false };
}

/** Reads the value(s) of one query parameter. Throws INVALID_ARGUMENT where a single value is given twice. */
export function coerce(name: string, given: string | string[], { one, many }: Coercion): unknown {
  if (typeof given === 'string') {
    if (!many) return one(given);
    return given === ''
      ? []
      : given.split(SEPARATOR).map((item) => one(item.replaceAll(String.raw`\,`, ',')));
  }
  if (many) return given.map(one);
  throw invalidArgument(`/${name}`, `is given ${given.length} times in the query; give it once`);
}

function scalar(types: readonly string[]): Coerce {
  if (types.includes('string')) return asText;
  const number = types.includes('integer') || types.includes('number');
  if (types.includes('boolean')) return number ? asNumberOrBoolean : asBoolean;
  return number ? asNumber : asText;
}

function arraySchema(schema: JsonSchema): JsonSchema | undefined {
  return [schema, ...alternativesOf(schema)].find((each) => each['items'] !== undefined);
}
