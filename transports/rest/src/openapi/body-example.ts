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
/** Those of a format; none of another one. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-01-31', '2026-02-28'],
  'date-time': ['2026-01-31T12:00:00Z', '2026-02-28T12:00:00Z'],
  password: TEXTS, // of any form: it says how to show it
  email: ['ann@example.com', 'bob@example.com'],
  uri: ['https://example.com', 'https://example.org'],
  uuid: ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'],
};
const MAX_DEPTH = 8;

/**
 * The smallest body that a schema accepts: its required members alone. The API page offers it for a first call, in which
 * optional members would be in the way. Undefined where a member needs a value that is not known here.
 */
export function bodyExample(schema: JsonSchema): unknown {
  return examplesOf(schema, schema, 0)[0];
}

/** Different values that a schema accepts: one at least, where it needs none that is not known here. */
function examplesOf(schema: JsonSchema, root: JsonSchema, depth: number): readonly unknown[] {
  const { $ref, anyOf, oneOf, default: preset, const: fixed, enum: choices, type } = schema;
  if (depth > MAX_DEPTH) return [];
  if (typeof $ref === 'string') return examplesOf(definitionOf($ref, root), root, depth + 1);
  if (fixed !== undefined) return [fixed];
  if (preset !== undefined) return [preset];
  if (choices) return choices as readonly unknown[];
  const alternatives = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (alternatives?.[0]) return examplesOf(alternatives[0], root, depth + 1);
  switch (type) {
    case 'object':
      return objectsOf(schema, root, depth);
    case 'array':
      return arraysOf(schema, root, depth);
    case 'string':
      return textsOf(schema);
    case 'integer':
    case 'number':
      return [schema['minimum'] ?? Math.min(1, (schema['maximum'] as number | undefined) ?? 1)];
    case 'boolean':
      return [false, true];
    default:
      return [];
  }
}

function objectsOf(
  { properties = {}, required = [] }: JsonSchema,
  root: JsonSchema,
  depth: number,
): readonly unknown[] {
  const members = (required as readonly string[]).map((name): [string, unknown] => {
    const member = (properties as Readonly<Record<string, JsonSchema>>)[name] ?? {};
    return [name, examplesOf(member, root, depth + 1)[0]];
  });
  return members.some(([, value]) => value === undefined) ? [] : [Object.fromEntries(members)];
}

function arraysOf(
  { items = {}, minItems = 0 }: JsonSchema,
  root: JsonSchema,
  depth: number,
): readonly unknown[] {
  if (minItems === 0) return [[]];
  const chosen = examplesOf(items as JsonSchema, root, depth + 1).slice(0, minItems as number);
  return chosen.length < (minItems as number) ? [] : [chosen];
}

function textsOf({
  minLength = 0,
  maxLength = Infinity,
  pattern = '',
  format,
}: JsonSchema): readonly string[] {
  const form = new RegExp(pattern as string, 'u');
  const texts = format === undefined ? TEXTS : (FORMATS[format as string] ?? []);
  return texts.filter(
    (text) => text.length >= (minLength as number) && text.length <= (maxLength as number) && form.test(text),
  );
}

/** Of a schema that tools declare: `#/$defs/NAME`. */
function definitionOf(ref: string, root: JsonSchema): JsonSchema {
  const definitions = (root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return definitions[ref.replace('#/$defs/', '')] ?? {};
}
