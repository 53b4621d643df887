import type { JsonSchema } from '@service-mcp/core';

/** Tried in this order for a text, until one has the length and the pattern that are asked for. */
const TEXTS = [
  'text',
  '00000000-0000-4000-8000-000000000000',
  '00000000-0000-4000-8000-000000000001',
  'ann@example.com',
  'https://example.com',
  '2026-01-31T12:00:00Z',
  'a text of some words',
];
const MAX_DEPTH = 8;

/**
 * The smallest body that a schema accepts: its required members alone. The API page offers it for a first call, in which
 * optional members would be in the way. Undefined where a member needs a value that is not known here.
 */
export function bodyExample(schema: JsonSchema): unknown {
  return exampleOf(schema, schema, 0);
}

function exampleOf(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const { $ref, anyOf, oneOf, default: preset, const: fixed, enum: choices, type } = schema;
  if (depth > MAX_DEPTH) return undefined;
  if (typeof $ref === 'string') return exampleOf(definitionOf($ref, root), root, depth + 1);
  const known = [fixed, preset, (choices as readonly unknown[] | undefined)?.[0]].find(
    (value) => value !== undefined,
  );
  if (known !== undefined) return known;
  const alternatives = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (alternatives?.[0]) return exampleOf(alternatives[0], root, depth + 1);
  if (type === 'object') return objectOf(schema, root, depth);
  if (type === 'array') return arrayOf(schema, root, depth);
  if (type === 'string') return textsOf(schema)[0];
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1;
  return type === 'boolean' ? false : undefined;
}

function objectOf({ properties = {}, required = [] }: JsonSchema, root: JsonSchema, depth: number): unknown {
  const members = (required as readonly string[]).map((name): [string, unknown] => {
    const member = (properties as Readonly<Record<string, JsonSchema>>)[name] ?? {};
    return [name, exampleOf(member, root, depth + 1)];
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function arrayOf({ items = {}, minItems = 0 }: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (minItems === 0) return [];
  const one = exampleOf(items as JsonSchema, root, depth + 1);
  const each = typeof one === 'string' ? textsOf(items as JsonSchema) : [one];
  const chosen = each.slice(0, minItems as number);
  return chosen.length < (minItems as number) || one === undefined ? undefined : chosen;
}

function textsOf({ minLength = 0, maxLength = Infinity, pattern = '' }: JsonSchema): readonly string[] {
  const form = new RegExp(pattern as string, 'u');
  return TEXTS.filter(
    (text) => text.length >= (minLength as number) && text.length <= (maxLength as number) && form.test(text),
  );
}

/** Of a schema that tools declare: `#/$defs/NAME`. */
function definitionOf(ref: string, root: JsonSchema): JsonSchema {
  const definitions = (root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return definitions[ref.replace('#/$defs/', '')] ?? {};
}
