import fc, { type Arbitrary } from 'fast-check';

type Schema = Readonly<Record<string, unknown>> | boolean;

/** Strings at the edges of formats and lengths. */
export const TEXTS = [
  ['', ' ', '\t', 'a', '\u0000', '\ud800', '\udc00a', '😀', 'e\u0301', '__proto__', 'constructor'],
  ['2026-01-31T00:00:00Z', '2026-01-31t00:00:00.123456789+05:30', '2026-01-31 00:00:00Z', '2026-01-31'],
  ['2026-02-29T00:00:00Z', '2024-02-29T23:59:60Z', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00+00:01'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-00:01', '2026-13-01T00:00:00Z', '2026-01-31T24:00:00Z'],
  ['2026-01-31T00:00:00', '2026-01-31T00:00:00+2400', '12:34:56Z', '12:34:56', '23:59:60Z', '22:59:60-01:00'],
  [
    '01a1fec9-fcb1-7619-be43-fa6034a03e7d',
    '01A1FEC9-FCB1-7619-BE43-FA6034A03E7D',
    'urn:uuid:01a1fec9-fcb1-7619-be43-fa6034a03e7d',
  ],
  ['1.2.3.4', '1.2.3.256', '::1', '::ffff:1.2.3.4', 'g::1', 'a@b.example', 'a@b', 'a b@c.example'],
  [
    'http://a.example/x?y#z',
    'a:b',
    'a://b:c',
    '//x',
    '/x',
    '%zz',
    '#/a~1b',
    '1/a',
    'P1D',
    'P',
    'PT1H',
    'P1W2D',
  ],
  ['aGk=', 'aGk', 'aGk=\n!', '[', '(a|b)*', 'a\\Z', '{x}', '{x', 'x.example', '-x.example'],
].flat();
export const NUMBERS = [
  0,
  4,
  6,
  9,
  -0,
  1,
  -1,
  0.5,
  1.1,
  0.1,
  0.3,
  1e21,
  1e300,
  -1e300,
  5e-324,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
];

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], { x: 1 }, ...NUMBERS),
  fc.constantFrom(...TEXTS),
  fc.jsonValue({ maxDepth: 2 }),
);

/**
 * Values of a schema: as it wants them and, with `noise`, near-misses: some part is of another kind, too long, too
 * many, at an edge, missing, or one more than is known.
 */
export function valuesOf(root: Schema, noise: boolean): Arbitrary<unknown> {
  const visit = (schema: Schema, depth: number): Arbitrary<unknown> => {
    if (typeof schema === 'boolean' || depth > 6) return junk;
    const wanted = wantedOf(schema, depth);
    if (!noise) return wanted;
    return fc.oneof({ arbitrary: wanted, weight: 24 }, { arbitrary: junk, weight: 1 });
  };
  const list = (value: unknown) => (Array.isArray(value) ? (value as Schema[]) : []);
  const number = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);

  function wantedOf(schema: Exclude<Schema, boolean>, depth: number): Arbitrary<unknown> {
    if ('const' in schema) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
    const reference = schema['$ref'];
    if (typeof reference === 'string') return visit(target(root, reference), depth + 1);
    const branches = [...list(schema['anyOf']), ...list(schema['oneOf']), ...list(schema['allOf'])];
    if (branches.length > 0 && schema['type'] === undefined)
      return fc.oneof(...branches.map((branch) => visit(branch, depth + 1)));
    const types = Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']];
    return fc.oneof(...types.map((type) => typedOf(type, schema, depth)));
  }

  function typedOf(type: unknown, schema: Exclude<Schema, boolean>, depth: number): Arbitrary<unknown> {
    switch (type) {
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'string':
        return textsOf(schema, noise);
      case 'integer':
      case 'number':
        return numbersOf(schema, type === 'integer', noise);
      case 'array': {
        const least = number(schema['minItems'], 0);
        const most = number(schema['maxItems'], least + 3);
        const item = visit((schema['items'] as Schema | undefined) ?? true, depth + 1);
        const maxLength = Math.min(most, least + 3);
        const few = fc.array(item, { minLength: least, maxLength });
        const first = list(schema['prefixItems']).map((each) => visit(each, depth + 1));
        const more = schema['items'] === false ? fc.constant([]) : fc.array(item, { maxLength: 2 });
        const usual =
          first.length > 0 ? fc.tuple(fc.tuple(...first), more).map((parts) => parts.flat()) : few;
        if (!noise) return usual;
        const many = fc.tuple(item, fc.constantFrom(least - 1, most, most + 1));
        const repeated = many.map(([one, count]) =>
          Array.from({ length: Math.max(0, Math.min(count, 600)) }, () => one),
        );
        return fc.oneof({ arbitrary: usual, weight: 8 }, { arbitrary: repeated, weight: 1 });
      }
      case 'object':
        return objectsOf(schema, depth);
      default:
        return junk;
    }
  }

  function objectsOf(schema: Exclude<Schema, boolean>, depth: number): Arbitrary<unknown> {
    const properties = Object.entries((schema['properties'] as Record<string, Schema> | undefined) ?? {});
    const required = new Set(list(schema['required']) as unknown[] as string[]);
    const missing = noise ? 40 : 0;
    const fields = properties.map(([name, each]) =>
      fc.tuple(fc.nat(noise ? 79 : 1), visit(each, depth + 1)).map(([n, value]) => {
        const there = required.has(name) ? n >= (missing > 0 ? 1 : 0) : n % 2 === 0;
        return there ? [[name, value] as const] : [];
      }),
    );
    const rest = schema['additionalProperties'];
    const told = ['additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'];
    const closed = rest === false && schema['patternProperties'] === undefined;
    const open = !closed && told.some((word) => word in schema);
    const patterned = Object.values(
      (schema['patternProperties'] as Record<string, Schema> | undefined) ?? {},
    );
    const values = fc.oneof(...[rest as Schema, ...patterned].map((each) => visit(each ?? true, depth + 1)));
    const extra = fc.tuple(
      fc.oneof(fc.constantFrom('x', 'x-1', '__proto__', 'toString'), fc.string()),
      values,
    );
    const extras = open ? fc.array(extra, { maxLength: 3 }) : fc.constant([]);
    const surprise = noise
      ? fc.oneof(
          { arbitrary: fc.constant([]), weight: 30 },
          { arbitrary: extra.map((one) => [one]), weight: 1 },
        )
      : fc.constant([]);
    return fc.tuple(fc.tuple(...fields), extras, surprise).map(([known, more, last]) => {
      // Defined, not assigned: `__proto__` is a field like any other.
      const object: Record<string, unknown> = {};
      for (const [name, value] of [...more, ...last, ...known.flat()])
        Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
      return object;
    });
  }

  return visit(root, 0);
}

function textsOf(schema: Readonly<Record<string, unknown>>, noise: boolean): Arbitrary<unknown> {
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0;
  const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : least + 12;
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  const character = fc.constantFrom('a', 'Z', '0', ' ', 'é', '😀', '\u2028', '-');
  const plain = fc
    .array(character, { minLength: least, maxLength: Math.min(most, least + 12) })
    .map((parts) => parts.join(''));
  const time = fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString());
  const usual = pattern
    ? fc.stringMatching(pattern)
    : schema['format'] === 'date-time'
      ? time
      : schema['format'] === undefined
        ? plain
        : fc.oneof(fc.constantFrom(...TEXTS), plain);
  if (!noise) return usual;
  const edges = fc
    .tuple(character, fc.constantFrom(least - 1, least, most, most + 1))
    .map(([one, count]) => one.repeat(Math.max(0, Math.min(count, 5000))));
  const affixed = fc.tuple(usual, fc.constantFrom('x', ' ', '\n', '😀'), fc.boolean());
  const longer = affixed.map(([text, more, first]) => (first ? more + text : text + more));
  return fc.oneof({ arbitrary: usual, weight: 6 }, edges, longer, fc.constantFrom(...TEXTS));
}

function numbersOf(
  schema: Readonly<Record<string, unknown>>,
  integer: boolean,
  noise: boolean,
): Arbitrary<unknown> {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? -1000);
  const most = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? 1000);
  const step = Number(schema['multipleOf'] ?? 1);
  const whole = fc.integer({ min: Math.ceil(least), max: Math.floor(most) });
  const usual = integer
    ? whole
    : fc.oneof(
        whole,
        fc.double({ min: least, max: most, noNaN: true }),
        whole.map((n) => n * step),
      );
  if (!noise) return usual;
  const edges = fc.constantFrom(least, least - 1, least - 0.5, most, most + 1, most + 0.5, ...NUMBERS);
  return fc.oneof({ arbitrary: usual, weight: 6 }, edges);
}

/** The target of a `$ref` of the form `#/$defs/name`; the root for `#`. */
function target(root: Schema, reference: string): Schema {
  let at: unknown = root;
  for (const step of reference.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[step];
  return (at as Schema | undefined) ?? true;
}
