import type { JsonSchema } from '@service-mcp/core';
import { jsonSchemaToZod } from 'json-schema-to-zod';
import {
  asObject,
  namedSchemas,
  NOTHING,
  own,
  resolveReference,
  schemaAt,
  schemasAt,
  textAt,
  type Library,
  type Print,
  type Schema,
} from './json-schema.js';
import { isRecord } from '@service-mcp/core/wire';
import { allOf, printArray, printNumber, printObject, printString, printValues } from './print-values.js';

/** A schema as Zod source text, with the schemas that it refers to. */
export interface PrintedSchema {
  readonly text: string;
  /** Declarations of the schemas that `$ref` names, in the order in which they must stand. */
  readonly references: readonly Readonly<Declaration>[];
  /** Keywords that are not checked. */
  readonly unchecked: readonly string[];
}

interface Declaration {
  readonly name: string;
  text?: string;
  recursive: boolean;
}

type Type = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'integer';

const IS_OF: Readonly<Record<Type, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  integer: Number.isInteger,
};
const ALL_TYPES: readonly Type[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** Keywords that constrain values of one type and let values of other types pass. */
const TYPED_KEYWORDS = new Set(
  [
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties',
    'dependentRequired items prefixItems minItems maxItems uniqueItems contains minContains maxContains',
    'minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  ].flatMap((line) => line.split(' ')),
);

const UNCHECKED = ['unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas', '$dynamicRef'];

/** Prints a schema; those that `$ref` names are called `name` and a number. */
export function printSchema(root: JsonSchema, name: string): PrintedSchema {
  const references = new Map<Schema, Declaration>();
  const declared: Declaration[] = [];
  const unchecked = new Set<string>();
  /** Schemas left to json-schema-to-zod, which prints one keyword of a schema and drops the rest. */
  const plain = new WeakSet<object>();

  const print: Print = (schema) =>
    jsonSchemaToZod(asObject(schema), {
      noImport: true,
      withoutDefaults: true,
      withoutDescribes: true,
      parserOverride: (each) => (plain.has(each) ? undefined : override(each)),
    });
  const library: Library = (schema) => {
    plain.add(schema);
    return print(schema);
  };

  /** Prints each group of keywords by itself, and requires all of them. */
  function override(written: JsonSchema): string {
    if (written === NOTHING) return 'z.never()';
    for (const keyword of UNCHECKED) if (Object.hasOwn(written, keyword)) unchecked.add(keyword);
    const schema = withoutBadPatterns(written);
    if (schema !== written) unchecked.add('a pattern that is not a regular expression');
    const parts: string[] = [];
    const reference = textAt(schema, '$ref');
    if (reference !== undefined) parts.push(printReference(reference));
    const types = typesOf(schema);
    const values = printValues(schema, (value) => types?.some((type) => IS_OF[type](value)) ?? true);
    if (values !== undefined) parts.push(values);
    const typed = Object.fromEntries(Object.entries(schema).filter(([key]) => TYPED_KEYWORDS.has(key)));
    const hasTyped = Object.keys(typed).length > 0;
    if (hasTyped || (types && values === undefined)) parts.push(printTypes(typed, types ?? ALL_TYPES));
    parts.push(...schemasAt(schema, 'allOf').map(print));
    const any = schemasAt(schema, 'anyOf');
    if (any.length > 0) parts.push(library({ anyOf: any.map(asObject) }));
    const one = schemasAt(schema, 'oneOf');
    if (one.length > 0) parts.push(`exactlyOne(${one.map(print).join(', ')})`);
    const not = schemaAt(schema, 'not');
    if (not !== undefined) parts.push(`isNot(${print(not)})`);
    const condition = schemaAt(schema, 'if');
    if (condition !== undefined) {
      const branches = ['then', 'else'].map((keyword) => print(schemaAt(schema, keyword) ?? true));
      parts.push(`ifThen(${print(condition)}, ${branches.join(', ')})`);
    }
    return allOf(parts);
  }

  function printTypes(schema: JsonSchema, [type, ...others]: readonly Type[]): string {
    if (others.length > 0) return library({ ...schema, type: [type, ...others] });
    if (type === 'object') return printObject(schema, print);
    if (type === 'array') return printArray(schema, print, library);
    if (type === 'string') return printString(schema, library);
    if (type === 'number' || type === 'integer') return printNumber(schema, type === 'integer', library);
    return library({ type });
  }

  function printReference(reference: string): string {
    const target = resolveReference(root, reference);
    if (target === undefined) {
      unchecked.add(`$ref ${reference}`);
      return 'anything';
    }
    let known = references.get(target);
    if (known) {
      if (known.text !== undefined) return known.name;
      known.recursive = true; // it refers to itself
      return `z.lazy(() => ${known.name})`;
    }
    known = { name: `${name}Ref${references.size + 1}`, recursive: false };
    references.set(target, known);
    known.text = print(target);
    declared.push(known);
    return known.name;
  }

  const text = print(root);
  return { text, references: declared, unchecked: [...unchecked] };
}

/** The types that a schema names; undefined for a schema without known types. */
function typesOf(schema: JsonSchema): readonly Type[] | undefined {
  const types = new Set(
    [own(schema, 'type')]
      .flat()
      .filter((type): type is Type => typeof type === 'string' && Object.hasOwn(IS_OF, type)),
  );
  if (types.size === 0) return undefined;
  if (own(schema, 'nullable') === true) types.add('null');
  if (types.has('number')) types.delete('integer');
  return [...types];
}

/** The schema without invalid patterns: the fields that they would name are then unknown. */
function withoutBadPatterns(schema: JsonSchema): JsonSchema {
  const badPattern = !isExpression(textAt(schema, 'pattern') ?? '');
  const badNames = namedSchemas(schema, 'patternProperties').some(([each]) => !isExpression(each));
  if (!badPattern && !badNames) return schema;
  return {
    ...schema,
    ...(badPattern && { pattern: undefined }),
    ...(badNames && { patternProperties: undefined, additionalProperties: true }),
  };
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
