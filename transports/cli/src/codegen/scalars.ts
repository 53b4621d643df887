import * as ajvFormats from 'ajv-formats';
import { numberAt, own, textAt, type JsonSchema } from './json-schema.js';
import { literal } from './text.js';

/** Formats that the service checks by a function, and what checks them in the client. */
const FORMAT_CHECKS: Readonly<Record<string, string>> = {
  date: 'isDate',
  time: 'isTime',
  'date-time': 'isDateTime',
  'iso-time': 'isTimeOfDay',
  'iso-date-time': 'isLocalDateTime',
  uri: 'isUri',
  regex: 'isRegex',
};

/** A text. Lengths are in characters, patterns are Unicode ones, formats are those of the service. */
export function printString(schema: JsonSchema, library: Library): string {
  const least = numberAt(schema, 'minLength') ?? 0;
  const most = numberAt(schema, 'maxLength');
  const pattern = textAt(schema, 'pattern');
  let text = library({ type: 'string' });
  // One code unit is there where one character is.
  if (least === 1) text += '.min(1)';
  else if (least > 1)
    text += refined('text', `characters(text) >= ${least}`, `must have at least ${least} characters`);
  if (most !== undefined)
    text += refined('text', `characters(text) <= ${most}`, `must have at most ${most} characters`);
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

/** A format of the service's validator; undefined for one that it does not know, and so does not check. */
function knownFormat(name: string): unknown {
  try {
    return ajvFormats.default.default.get(name as 'email'); // or any other: it throws then
  } catch {
    return undefined;
  }
}

/** Prints what json-schema-to-zod prints rightly. */
export type Library = (schema: JsonSchema) => string;

/** A number: `integer` takes whole ones of any size. */
export function printNumber(schema: JsonSchema, integer: boolean, library: Library): string {
  const format = textAt(schema, 'format');
  // It takes one bound of each side.
  const [minimum, above] = [numberAt(schema, 'minimum'), numberAt(schema, 'exclusiveMinimum')];
  const [maximum, below] = [numberAt(schema, 'maximum'), numberAt(schema, 'exclusiveMaximum')];
  let text = library({
    type: 'number',
    ...(minimum !== undefined ? { minimum } : above !== undefined && { exclusiveMinimum: above }),
    ...(maximum !== undefined ? { maximum } : below !== undefined && { exclusiveMaximum: below }),
  });
  if (minimum !== undefined && above !== undefined) text += `.gt(${above})`;
  if (maximum !== undefined && below !== undefined) text += `.lt(${below})`;
  if (integer || format === 'int32' || format === 'int64')
    text += '.refine(Number.isInteger, "must be integer")';
  if (format === 'int32') text += '.gte(-2147483648).lte(2147483647)';
  const factor = numberAt(schema, 'multipleOf');
  if (factor !== undefined)
    text += refined('value', `isMultiple(value, ${factor})`, `must be a multiple of ${factor}`);
  return text;
}

export function refined(name: string, condition: string, message: string): string {
  return `.refine((${name}) => ${condition}, ${literal(message)})`;
}

/** One of some values, by `const` or `enum`; undefined where the schema has neither. */
export function printValues(schema: JsonSchema, fits: (value: unknown) => boolean): string | undefined {
  const listed = own(schema, 'enum');
  const values: unknown[] = Array.isArray(listed) ? listed : [];
  if (Object.hasOwn(schema, 'const')) values.splice(0, values.length, schema['const']);
  else if (!Array.isArray(listed)) return undefined;
  const fitting = values.filter(fits);
  const plain = fitting.filter((value) => typeof value !== 'object' || value === null);
  const printed = fitting
    .filter((value) => typeof value === 'object' && value !== null)
    .map((value) => `exactly(${literal(value)})`);
  if (plain.length > 0) printed.unshift(`z.literal([${plain.map(literal).join(', ')}])`);
  if (printed.length === 0) return 'z.never()';
  return printed.length === 1 ? printed[0] : `z.union([${printed.join(', ')}])`;
}
