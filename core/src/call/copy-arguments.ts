import { invalidArgument } from '../errors.js';
import type { JsonSchema } from '../tool.js';
import { MAX_DEPTH } from '../storable.js';
import { MAX_ISSUES } from './validate.js';

/**
 * The arguments of a call as a new value, which validation may fill with defaults. `null` for an optional argument
 * that has no null counts as left out, at any depth: strict modes of model providers make every argument required.
 * Of what exceeds a bound of the schema, one too many is copied: it is refused all the same, and the rest is not looked at.
 */
export function copyArguments(args: unknown, schema: JsonSchema): Record<string, unknown> {
  if (args === undefined || args === null) return {};
  if (typeof args !== 'object' || Array.isArray(args))
    throw invalidArgument('', 'the arguments must be a JSON object');
  return copyObject(args, schema, 0);
}

/** Deeper values are shared instead of copied: such arguments are refused. */
function copyValue(value: unknown, schema: JsonSchema, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  const { items = {}, maxItems = Infinity } = schema;
  if (Array.isArray(value))
    return value
      .slice(0, Number(maxItems) + 1)
      .map((item) => copyValue(item, items as JsonSchema, depth + 1));
  return copyObject(value, schema, depth + 1);
}

function copyObject(value: object, schema: JsonSchema, depth: number): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const { additionalProperties, patternProperties, maxProperties = Infinity } = schema;
  const isClosed = additionalProperties === false && patternProperties === undefined;
  let others = isClosed ? MAX_ISSUES : Number(maxProperties) + 1;
  const copied: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isOptional = property && (!required.includes(name) || 'default' in property);
    if (!property && (others -= 1) < 0) continue;
    const one: unknown = (value as Record<string, unknown>)[name];
    if (one === null && isOptional && !acceptsNull(property)) continue;
    const copy = copyValue(one, property ?? {}, depth);
    // Plain assignment would set the prototype; the validator is to name the argument.
    if (name === '__proto__')
      Object.defineProperty(copied, name, {
        value: copy,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else copied[name] = copy;
  }
  return copied;
}

function acceptsNull(schema: JsonSchema): boolean {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((branch) => acceptsNull(branch as JsonSchema));
  if (Array.isArray(values)) return values.includes(null);
  if ('const' in schema) return schema['const'] === null;
  return type === undefined || [type].flat().includes('null');
}
