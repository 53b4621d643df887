import type { JsonSchema } from '@service-mcp/core';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly format?: string;
}

/** Arguments whose names say more than their schemas. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  email: 'nobody@example.com',
  event_type: 'note',
  path: 'src/sample.ts',
  query: 'sample',
  scopes: ['workspaces:read'],
};

/** The smallest arguments that a schema takes: what it requires, at its least. Tools yet to be written are covered too. */
export function sampleArguments(schema: JsonSchema): Record<string, unknown> {
  return sampleObject(schema);
}

function sampleObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [name, name in BY_NAME ? BY_NAME[name] : sample(properties[name] ?? {})]),
  );
}

function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.examples) return schema.examples[0];
  const [branch] = schema.anyOf ?? [];
  if (branch) return sample(branch);
  const [type = 'string'] = [schema.type ?? []].flat();
  switch (type) {
    case 'object':
      return sampleObject(schema);
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return sampleText(schema);
  }
}

function sampleText({ format, minLength = 1 }: Schema): string {
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z';
  if (format === 'uuid') return '01890000-0000-7000-8000-000000000000';
  if (format === 'uri') return 'https://example.com/';
  return 'sample text of some length'.padEnd(minLength, '.');
}
