import type { JsonSchema } from '@service-mcp/core';
import * as ajvFormats from 'ajv-formats';
import { numberAt, numbersAt, own, textAt, type Library } from './json-schema.js';
import { literal } from './source-text.js';

/** Formats that the service checks by a function, and the function of the client. */
const FORMAT_CHECKS: Readonly<Record<string, string>> = {
  date: 'isDate',
  time: 'isTime',
  'date-time': 'isDateTime',
  'iso-time': 'isTimeOfDay',
  'iso-date-time': 'isLocalDateTime',
  uri: 'isUri',
  regex: 'isRegex',
};

/** Lengths are in characters, patterns are Unicode ones, formats are those of the service. */
export function printString(schema: JsonSchema, library: Library): string {
  const min = numberAt(schema, 'minLength') ?? 0;
  const max = numberAt(schema, 'maxLength');
  const pattern = textAt(schema, 'pattern');
  let text = library({ type: 'string' });
  // A text that is not empty has a code unit.
  if (min === 1) text += '.min(1)';
  else if (min > 1)
    text += refined('text', `characters(text) >= ${min}`, `must have at least ${min} characters`);
  if (max !== undefined)
    text += refined('text', `characters(text) <= ${max}`, `must have at most ${max} characters`);
  if (pattern !== undefined) text += `.regex(new RegExp(${literal(pattern)}, "u"))`;
  return text + printFormat(textAt(schema, 'format'));
}

function printFormat(format: string | undefined): string {
  if (format === undefined) return '';
  const message = `must be of the format ${format}`;
  if (Object.hasOwn(FORMAT_CHECKS, format)) return `.refine(${FORMAT_CHECKS[format]}, ${literal(message)})`;
  if (format === 'byte') {
    const base64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
    return `.regex(new RegExp(${literal(base64)}, "m"), ${literal(message)})`;
  }
  const known = knownFormat(format);
  if (!(known instanceof RegExp)) return '';
  return `.regex(new RegExp(${literal(known.source)}, ${literal(known.flags)}), ${literal(message)})`;
}

/** A format of the service's validator; undefined for one that it does not know and therefore does not check. */
function knownFormat(name: string): unknown {
  try {
    return ajvFormats.default.default.get(name as 'email'); // it throws for an unknown name
  } catch {
    return undefined;
  }
}

/** `integer` takes whole numbers of any size. */
export function printNumber(schema: JsonSchema, integer: boolean, library: Library): string {
  const format = textAt(schema, 'format');
  // The library prints one bound of each side.
  const exclusive = numbersAt(schema, 'exclusiveMinimum', 'exclusiveMaximum');
  let text = library({ type: 'number', ...numbersAt(schema, 'minimum', 'maximum') });
  text += library({ type: 'number', ...exclusive }).slice(library({ type: 'number' }).length);
  if (integer || format === 'int32' || format === 'int64')
    text += '.refine(Number.isInteger, "must be integer")';
  if (format === 'int32') text += '.gte(-2147483648).lte(2147483647)';
  const factor = numberAt(schema, 'multipleOf');
  if (factor !== undefined)
    text += refined('value', `isMultiple(value, ${factor})`, `must be a multiple of ${factor}`);
  return text;
}

function refined(name: string, condition: string, message: string): string {
  return `.refine((${name}) => ${condition}, ${literal(message)})`;
}

/** The values of `const` or `enum` that `fits` accepts; undefined for a schema with neither. */
export function printValues(schema: JsonSchema, fits: (value: unknown) => boolean): string | undefined {
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : own(schema, 'enum');
  if (!Array.isArray(values)) return undefined;
  const fitting = values.filter(fits);
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  const plain = fitting.filter(isPlain);
  const printed = fitting.filter((value) => !isPlain(value)).map((value) => `exactly(${literal(value)})`);
  if (plain.length > 0) printed.unshift(`z.literal([${plain.map(literal).join(', ')}])`);
  if (printed.length === 0) return 'z.never()';
  return printed.length === 1 ? printed[0] : `z.union([${printed.join(', ')}])`;
}
