import { jsonSchemaToZod } from 'json-schema-to-zod';
import { allOf, printArray, printObject } from './composites.js';
import {
  isSchemaObject,
  namedSchemas,
  own,
  pointedAt,
  schemaAt,
  schemasAt,
  textAt,
  type JsonSchema,
} from './json-schema.js';
import { printNumber, printString, printValues } from './scalars.js';

/** A schema as Zod source text, with what it refers to. */
export interface PrintedSchema {
  readonly text: string;
  /** Declarations of the schemas that `$ref` names, in the order in which they must stand. */
  readonly references: readonly {
    readonly name: string;
    readonly text: string;
    readonly recursive: boolean;
  }[];
  /** Keywords that are not checked. */
  readonly unchecked: readonly string[];
}

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;
type Type = (typeof TYPES)[number];

/** Keywords that speak of values of one type, and so do not say that a value is of it. */
const KEYWORDS: Readonly<Record<Type, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  null: [],
};

const UNCHECKED = ['unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas', '$dynamicRef'];

/** Names that a schema's `$ref` gets: `name` of the schema, then a number. */
export function printSchema(root: JsonSchema, name: string): PrintedSchema {
  const references = new Map<JsonSchema | boolean, { name: string; text?: string; recursive: boolean }>();
  const declared: { name: string; text: string; recursive: boolean }[] = [];
  const unchecked = new Set<string>();
  /** Schemas that json-schema-to-zod prints itself: it takes one keyword of a schema and drops the rest. */
  const plain = new WeakSet<object>();

  const print = (schema: JsonSchema | boolean): string => {
    if (typeof schema === 'boolean') return schema ? 'anything' : 'z.never()';
    return jsonSchemaToZod(schema, {
      noImport: true,
      withoutDefaults: true,
      withoutDescribes: true,
      parserOverride: (each) => (plain.has(each) ? undefined : override(each)),
    });
  };
  const library = (schema: JsonSchema): string => {
    plain.add(schema);
    return print(schema);
  };

  /** Each group of keywords by itself, then all of them together. */
  function override(written: JsonSchema): string {
    for (const keyword of UNCHECKED) if (Object.hasOwn(written, keyword)) unchecked.add(keyword);
    const schema = withoutBadPatterns(written);
    if (schema !== written) unchecked.add('a pattern that is no regular expression');
    const parts: string[] = [];
    const reference = textAt(schema, '$ref');
    if (reference !== undefined) parts.push(printReference(reference));
    const types = typesOf(schema);
    const values = printValues(
      schema,
      (value) => types === undefined || types.some((type) => isOf(value, type)),
    );
    if (values !== undefined) parts.push(values);
    const typed = values === undefined || hasKeywords(schema) ? printTypes(schema, types) : undefined;
    if (typed !== undefined) parts.push(typed);
    parts.push(...schemasAt(schema, 'allOf').map(print));
    const any = schemasAt(schema, 'anyOf');
    if (any.every(isSchemaObject) && any.length > 1) parts.push(library({ anyOf: any }));
    else if (any.length > 0) parts.push(union(any.map(print)));
    const one = schemasAt(schema, 'oneOf');
    if (one.length > 0) parts.push(`exactlyOne(${one.map(print).join(', ')})`);
    const not = schemaAt(schema, 'not');
    if (not !== undefined) parts.push(`isNot(${print(not)})`);
    const condition = schemaAt(schema, 'if');
    if (condition !== undefined) {
      const [then, otherwise] = [schemaAt(schema, 'then') ?? true, schemaAt(schema, 'else') ?? true];
      parts.push(`ifThen(${print(condition)}, ${print(then)}, ${print(otherwise)})`);
    }
    return allOf(parts);
  }

  function printTypes(
    schema: JsonSchema,
    types: readonly (Type | 'integer')[] | undefined,
  ): string | undefined {
    if (types === undefined && !hasKeywords(schema)) return undefined;
    // Keywords without a type let every other type pass.
    return union((types ?? TYPES).map((type) => printType(schema, type)));
  }

  function printType(schema: JsonSchema, type: Type | 'integer'): string {
    switch (type) {
      case 'object':
        return printObject(schema, print);
      case 'array':
        return printArray(schema, print, library);
      case 'string':
        return printString(schema, library);
      case 'number':
      case 'integer':
        return printNumber(schema, type === 'integer', library);
      case 'boolean':
      case 'null':
        return library({ type });
    }
  }

  function printReference(reference: string): string {
    const target = pointedAt(root, reference);
    if (target === undefined) {
      unchecked.add(`$ref ${reference}`);
      return 'anything';
    }
    let known = references.get(target);
    if (known) {
      if (known.text !== undefined) return known.name;
      known.recursive = true; // met again inside itself
      return `z.lazy(() => ${known.name})`;
    }
    known = { name: `${name}Ref${references.size + 1}`, recursive: false };
    references.set(target, known);
    known.text = print(target);
    declared.push({ name: known.name, text: known.text, recursive: known.recursive });
    return known.name;
  }

  const text = print(root);
  return { text, references: declared, unchecked: [...unchecked] };
}

/** The types that a schema names; undefined where it names none. */
function typesOf(schema: JsonSchema): readonly (Type | 'integer')[] | undefined {
  const value = own(schema, 'type');
  const named = (Array.isArray(value) ? value : [value]).filter((type): type is Type | 'integer' =>
    [...TYPES, 'integer'].includes(type as Type),
  );
  if (named.length === 0) return undefined;
  const types = new Set(named);
  if (own(schema, 'nullable') === true) types.add('null');
  if (types.has('number')) types.delete('integer');
  return [...types];
}

function isOf(value: unknown, type: Type | 'integer'): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchemaObject(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}

/** The same without patterns that are no regular expressions: which fields they would name is unknown then. */
function withoutBadPatterns(schema: JsonSchema): JsonSchema {
  const pattern = textAt(schema, 'pattern');
  const badPattern = pattern !== undefined && !isExpression(pattern);
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

function hasKeywords(schema: JsonSchema): boolean {
  return Object.values(KEYWORDS).some((words) => words.some((word) => Object.hasOwn(schema, word)));
}

function union(parts: readonly string[]): string {
  const unique = [...new Set(parts)];
  return unique.length === 1 ? unique.join('') : `z.union([${unique.join(', ')}])`;
}
