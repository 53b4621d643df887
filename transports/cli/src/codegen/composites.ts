import { namedSchemas, numberAt, own, schemaAt, schemasAt, textsAt, type JsonSchema } from './json-schema.js';
import { refined, type Library } from './scalars.js';
import { comment, indent, literal, propertyKey } from './text.js';

/** Prints a schema inside another one. */
export type Print = (schema: JsonSchema | boolean) => string;

/** `both(a, both(b, c))`; a single one as it is. */
export function allOf(parts: readonly string[]): string {
  const [first = 'anything', ...rest] = parts;
  return rest.length === 0 ? first : `both(${first}, ${allOf(rest)})`;
}

export function printArray(schema: JsonSchema, print: Print, library: Library): string {
  const items = schemaAt(schema, 'items') ?? true;
  const first = schemasAt(schema, 'prefixItems');
  const contained = schemaAt(schema, 'contains');
  const least = numberAt(schema, 'minItems');
  const most = numberAt(schema, 'maxItems');
  let text: string;
  if (first.length === 0 && typeof items !== 'boolean') {
    const limits = {
      ...(least !== undefined && { minItems: least }),
      ...(most !== undefined && { maxItems: most }),
    };
    text = library({ type: 'array', items, ...limits });
  } else {
    text =
      first.length === 0
        ? `z.array(${print(items)})`
        : `positions([${first.map(print).join(', ')}], ${print(items)})`;
    if (least !== undefined)
      text += refined('items', `items.length >= ${least}`, `must have at least ${least} items`);
    if (most !== undefined)
      text += refined('items', `items.length <= ${most}`, `must have at most ${most} items`);
  }
  // Over the array as it came: what Zod gives on are copies, without a field `__proto__`.
  const parts = [text];
  if (own(schema, 'uniqueItems') === true) parts.push('distinct');
  if (contained !== undefined) {
    const from = numberAt(schema, 'minContains') ?? 1;
    parts.push(`containing(${print(contained)}, ${from}, ${numberAt(schema, 'maxContains') ?? 'Infinity'})`);
  }
  return allOf(parts);
}

/** Names of members that every object has: a field of that name is absent unless it is the object's own. */
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

/** What has a default may be left out: the service fills it in. */
export function hasDefault(schema: JsonSchema | boolean): boolean {
  return typeof schema !== 'boolean' && own(schema, 'default') !== undefined;
}

function sizes(schema: JsonSchema, print: Print): string[] {
  const [least, most] = [numberAt(schema, 'minProperties'), numberAt(schema, 'maxProperties')];
  const named = schemaAt(schema, 'propertyNames');
  if (least === undefined && most === undefined && named === undefined) return [];
  return [`havingNames(${print(named ?? true)}, ${least ?? 0}, ${most ?? 'Infinity'})`];
}

function dependencies(schema: JsonSchema): string[] {
  const value = own(schema, 'dependentRequired');
  if (typeof value !== 'object' || value === null) return [];
  const dependent = value as JsonSchema; // an object, whatever is in it
  return Object.keys(dependent).map(
    (name) => `havingFieldsWith(${literal(name)}, ${literal(textsAt(dependent, name))})`,
  );
}
