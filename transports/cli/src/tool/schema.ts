import type { JsonSchema } from '@service-mcp/core';

/** The parts of JSON Schema that tools use for their arguments. */
export interface Schema extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** The values that a schema lists, of `enum` or of an `anyOf` of constants. */
export function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if (schema.enum) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const members = schema.anyOf?.map((member) => member.const);
  return members && members.length > 0 && !members.includes(undefined) ? members : undefined;
}
