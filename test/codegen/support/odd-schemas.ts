const formats = [
  [
    'date',
    'time',
    'date-time',
    'iso-time',
    'iso-date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
  ],
  ['url', 'email', 'hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment'],
  ['relative-json-pointer', 'byte', 'password', 'binary'],
].flat();

const text = { type: 'string', maxLength: 4 };
const whole = { type: 'integer' };
const node = {
  type: 'object',
  properties: { value: whole, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
  required: ['value'],
  additionalProperties: false,
};

/** Schemas of a field, each with the mistake of a plain conversion to Zod. */
export const ODD_SCHEMAS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(formats.map((format) => [`format_${format}`, { type: 'string', format }])),
  ...Object.fromEntries(
    ['int32', 'int64', 'float', 'double'].map((format) => [`number_${format}`, { type: 'number', format }]),
  ),
  anything: {},
  always: true,
  never: { type: 'array', items: false },
  one_of: { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }, text] },
  one_of_beside: { type: 'number', oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
  any_of_beside: {
    type: 'object',
    properties: { a: whole, b: whole },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    additionalProperties: false,
  },
  any_of_boolean: { anyOf: [false, text] },
  all_of: { allOf: [{ type: 'integer' }, { minimum: 3 }, { maximum: 7 }] },
  all_of_closed: {
    allOf: [
      { type: 'object', properties: { a: whole }, additionalProperties: false },
      { type: 'object', properties: { b: whole } },
    ],
  },
  not: { type: 'integer', not: { multipleOf: 2 } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  if_then: { type: 'integer', if: { minimum: 10 }, then: { multipleOf: 10 }, else: { multipleOf: 3 } },
  types: { type: ['integer', 'null', 'array'], minimum: 2, maxItems: 2 },
  no_type: { minLength: 2, minimum: 3, maxItems: 1, required: ['a'] },
  const_object: { const: { b: [1, { c: null }], a: 'x' } },
  const_null: { const: null },
  enum_mixed: { enum: [1, '1', null, true, { a: 1 }, [1, 2], '__proto__', '"; throw 1; "'] },
  enum_typed: { type: 'string', enum: ['a', 'bcd'], maxLength: 2 },
  multiple_float: { type: 'number', multipleOf: 0.1 },
  multiple_large: { type: 'number', multipleOf: 7 },
  bounds: { type: 'number', minimum: 0, exclusiveMinimum: 0, maximum: 9, exclusiveMaximum: 10 },
  unique: { type: 'array', uniqueItems: true, items: { anyOf: [whole, { type: 'object' }] }, maxItems: 4 },
  tuple: { type: 'array', prefixItems: [text, whole], items: false, minItems: 2, maxItems: 2 },
  tuple_open: { type: 'array', prefixItems: [text, whole], items: { type: 'null' }, minItems: 2 },
  contains: { type: 'array', items: {}, contains: whole, minContains: 1, maxContains: 2 },
  record: { type: 'object', additionalProperties: whole },
  record_and_fields: { type: 'object', properties: { a: text }, additionalProperties: whole },
  patterns: {
    type: 'object',
    properties: { a: text },
    patternProperties: { '^x-': whole, '\\d$': text },
    additionalProperties: false,
  },
  patterns_open: { type: 'object', patternProperties: { '^x': whole }, additionalProperties: text },
  names: { type: 'object', propertyNames: text, minProperties: 1, maxProperties: 2 },
  dependent: { type: 'object', properties: { a: whole, b: whole }, dependentRequired: { a: ['b'] } },
  required_unknown: { type: 'object', required: ['x'], additionalProperties: whole },
  required_any: { type: 'object', properties: { a: {} }, required: ['a'] },
  default: { type: 'object', properties: { a: { ...whole, default: 3 } }, required: ['a'] },
  characters: { type: 'string', minLength: 2, maxLength: 3 },
  pattern: { type: 'string', pattern: '^\\p{L}{2}$' },
  recursive: node,
  recursive_list: { type: 'array', items: { $ref: '#/$defs/tree' } },
  reference: { $ref: '#/$defs/short', minLength: 1 },
};

export const ODD_DEFINITIONS = {
  node,
  short: text,
  tree: {
    type: 'object',
    properties: { name: text, children: { type: 'array', items: { $ref: '#/$defs/branch' }, maxItems: 2 } },
    required: ['name'],
    additionalProperties: false,
  },
  branch: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'integer' }] },
};
