import fc, { type Arbitrary } from 'fast-check';
import type { Document, Schema } from './document.js';

/** Values that arguments of these names know. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

const HOSTILE_TEXTS = [
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  '__proto__',
  '../../etc/passwd',
  "'; DROP TABLE files; --",
  '%00%ff%zz',
  '{{7*7}}',
  '(a+)+$',
  '[',
  '\\',
  'é'.repeat(3000),
  'NaN',
  '-1',
  'true',
  'null',
];
const HOSTILE_VALUES = [
  null,
  {},
  [],
  [[[[]]]],
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  true,
  { __proto__: 1 },
  { a: { b: {} } },
];

/** What no schema asks for. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS, ...HOSTILE_VALUES),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
);

/** Values that a schema admits, as far as it says; `name` is that of the argument. */
export function valid(document: Document, schema: Schema, known: Known, name = ''): Arbitrary<unknown> {
  const made = ofSchema(document, document.resolve(schema), known);
  const values = known[name];
  return values ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, made) : made;
}

function ofSchema(document: Document, schema: Schema, known: Known): Arbitrary<unknown> {
  const { type, items, anyOf, enum: values } = schema;
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(values)) return fc.constantFrom<unknown>(...values);
  if (Array.isArray(anyOf))
    return fc.oneof(...(anyOf as Schema[]).map((each) => valid(document, each, known)));
  if (Array.isArray(type))
    return fc.oneof(
      ...(type as string[]).map((each) => ofSchema(document, { ...schema, type: each }, known)),
    );
  const most = (key: string, limit: number) => Math.min(Number(schema[key] ?? limit), limit);
  switch (type) {
    case 'object':
      return objectOf(document, schema, known);
    case 'array': {
      const lengths = { minLength: Number(schema['minItems'] ?? 0), maxLength: most('maxItems', 4) };
      return fc.array(valid(document, (items ?? {}) as Schema, known), lengths);
    }
    case 'integer':
      return fc.integer({ min: Number(schema['minimum'] ?? -1000), max: most('maximum', 100_000) });
    case 'number':
      return fc.double({ min: Number(schema['minimum'] ?? -1e6), max: most('maximum', 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return textOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(document: Document, schema: Schema, known: Known): Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  if (Object.keys(properties).length === 0)
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  const parts = Object.entries(properties).map(
    ([name, property]) => [name, valid(document, property, known, name)] as const,
  );
  return fc.record(Object.fromEntries(parts), {
    requiredKeys: (schema['required'] ?? []) as string[],
    noNullPrototype: true,
  });
}

function textOf({ pattern, format, minLength = 0, maxLength = 200 }: Schema): Arbitrary<string> {
  const [least, most] = [Number(minLength), Number(maxLength)];
  if (format === 'date-time')
    return fc
      .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (typeof pattern === 'string' && pattern !== '\\S') {
    return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length >= least && length <= most);
  }
  const edge = fc.constantFrom('a'.repeat(Math.min(most, 2000)), 'a'.repeat(Math.max(least, 1)));
  const text = fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.min(most, 60) });
  return fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: edge });
}

/** The arguments with one of them left out, replaced or added. */
export function almost(args: Arbitrary<Record<string, unknown>>): Arbitrary<Record<string, unknown>> {
  return fc.tuple(args, fc.nat(), fc.nat({ max: 2 }), hostile).map(([given, at, change, value]) => {
    const names = Object.keys(given);
    const name = names[at % Math.max(names.length, 1)] ?? 'unknown';
    const { [name]: _left, ...rest } = given;
    if (change === 0) return rest;
    return change === 1 ? { ...given, [name]: value } : { ...given, [`${name}_`]: value };
  });
}
