import type { JsonSchema } from '@service-mcp/core';
import * as ajvFormats from 'ajv-formats';
import {
  asObject,
  namedSchemas,
  numberAt,
  numbersAt,
  own,
  schemaAt,
  schemasAt,
  textAt,
  textsAt,
  type Library,
  type Print,
  type Schema,
} from './json-schema.js';
import { isRecord } from '@service-mcp/core/wire';
import { comment, indent, literal, propertyKey } from './source-text.js';

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

/** `both(a, both(b, c))`; a single part as it is. */
export function allOf(parts: readonly string[]): string {
  const [first = 'anything', ...rest] = parts;
  return rest.length === 0 ? first : `both(${first}, ${allOf(rest)})`;
}

export function printArray(schema: JsonSchema, print: Print, library: Library): string {
  const items = schemaAt(schema, 'items') ?? true;
  const first = schemasAt(schema, 'prefixItems');
  const contained = schemaAt(schema, 'contains');
  const limits = numbersAt(schema, 'minItems', 'maxItems');
  // Each over the original array: Zod passes on copies, without a field `__proto__`.
  const parts =
    first.length === 0
      ? [library({ type: 'array', items: asObject(items), ...limits })]
      : [
          `positions([${first.map(print).join(', ')}], ${print(items)})`,
          library({ type: 'array', items: {}, ...limits }),
        ];
  if (own(schema, 'uniqueItems') === true) parts.push('distinct');
  if (contained !== undefined) {
    const min = numberAt(schema, 'minContains') ?? 1;
    parts.push(`containing(${print(contained)}, ${min}, ${numberAt(schema, 'maxContains') ?? 'Infinity'})`);
  }
  return allOf(parts);
}

/** Members that every object inherits: a field of that name is present only as the object's own. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

export function printObject(schema: JsonSchema, print: Print): string {
  const properties = namedSchemas(schema, 'properties');
  const required = new Set(textsAt(schema, 'required'));
  const patterns = namedSchemas(schema, 'patternProperties');
  const rest = schemaAt(schema, 'additionalProperties') ?? true;
  const known = properties.map(([name]) => name);
  const parts: string[] = [];
  if (properties.length === 0 && patterns.length === 0 && typeof rest !== 'boolean') {
    parts.push(`dictionary(${print(rest)})`);
  } else {
    const closed = rest === false && patterns.length === 0;
    parts.push(fields(properties, required, closed, print));
    if (patterns.length > 0 || typeof rest !== 'boolean') {
      const pairs = patterns.map(
        ([pattern, each]) => `[new RegExp(${literal(pattern)}, "u"), ${print(each)}]`,
      );
      parts.push(`otherFields(${literal(known)}, [${pairs.join(', ')}], ${print(rest)})`);
    }
  }
  for (const name of required) if (!known.includes(name)) parts.push(`havingField(${literal(name)})`);
  const [min, max] = [numberAt(schema, 'minProperties'), numberAt(schema, 'maxProperties')];
  const names = schemaAt(schema, 'propertyNames');
  if (min !== undefined || max !== undefined || names !== undefined)
    parts.push(`havingNames(${print(names ?? true)}, ${min ?? 0}, ${max ?? 'Infinity'})`);
  const dependent = own(schema, 'dependentRequired');
  const needed = isRecord(dependent) ? dependent : {};
  for (const name of Object.keys(needed))
    parts.push(`havingFieldsWith(${literal(name)}, ${literal(textsAt(needed, name))})`);
  return allOf(parts);
}

function fields(
  properties: ReturnType<typeof namedSchemas>,
  required: ReadonlySet<string>,
  closed: boolean,
  print: Print,
): string {
  const lines = properties.map(([name, each]) => {
    const about = typeof each === 'boolean' ? undefined : own(each, 'description');
    const optional = !required.has(name) || hasDefault(each) ? '.optional()' : '';
    return `${comment(typeof about === 'string' ? about : undefined)}${propertyKey(name)}: ${print(each)}${optional},\n`;
  });
  const kind = closed ? 'z.strictObject' : 'z.looseObject';
  const object = lines.length === 0 ? `${kind}({})` : `${kind}({\n${indent(lines.join(''))}})`;
  return properties.some(([name]) => INHERITED.has(name)) ? `ownFields(${object})` : object;
}

/** A field with a default may be left out: the service fills it in. */
export function hasDefault(schema: Schema): boolean {
  return typeof schema !== 'boolean' && own(schema, 'default') !== undefined;
}
