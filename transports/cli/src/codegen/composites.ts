import type { JsonSchema } from '@service-mcp/core';
import { isObject } from '../json.js';
import {
  asObject,
  namedSchemas,
  numberAt,
  numbersAt,
  own,
  schemaAt,
  schemasAt,
  textsAt,
  type Library,
  type Print,
  type Schema,
} from './json-schema.js';
import { comment, indent, literal, propertyKey } from './source-text.js';

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
  return allOf([...parts, ...sizes(schema, print), ...dependencies(schema)]);
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

function sizes(schema: JsonSchema, print: Print): string[] {
  const [min, max] = [numberAt(schema, 'minProperties'), numberAt(schema, 'maxProperties')];
  const names = schemaAt(schema, 'propertyNames');
  if (min === undefined && max === undefined && names === undefined) return [];
  return [`havingNames(${print(names ?? true)}, ${min ?? 0}, ${max ?? 'Infinity'})`];
}

function dependencies(schema: JsonSchema): string[] {
  const dependent = own(schema, 'dependentRequired');
  if (!isObject(dependent)) return [];
  return Object.keys(dependent).map(
    (name) => `havingFieldsWith(${literal(name)}, ${literal(textsAt(dependent, name))})`,
  );
}
