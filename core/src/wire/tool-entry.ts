import type { ToolInfo } from '../catalog.js';
import { mapSchemas } from '../map-schemas.js';
import { BODY_LIMIT, type JsonSchema } from '../tool.js';
import { type Effect } from '../toolset.js';

/** The hints of MCP. All are always sent: a client's defaults for missing ones assume the worst. */
type Hints = Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint', boolean>>;

const HINTS: Record<Effect, Hints> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/**
 * The effect that hints stand for, of a tool in another service's list. Hints cannot tell `update` and `delete` from a
 * `write` that is either: that is what they are read as.
 */
export function effectOf(
  hints: { readonly [Hint in keyof Hints]?: boolean | undefined } | undefined,
): Extract<Effect, 'read' | 'create' | 'write'> {
  if (hints?.readOnlyHint) return 'read';
  return hints?.destructiveHint === false ? 'create' : 'write';
}

/** One entry of `tools/list`. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Hints & { readonly title: string; readonly openWorldHint: boolean };
}

const entries = new WeakMap<ToolInfo, ToolEntry>();

/** A tool as `tools/list` shows it, without keywords of our own. The same info gives the same object. */
export function toolEntry(info: ToolInfo): ToolEntry {
  let entry = entries.get(info);
  if (!entry) {
    const { name, title, description, effect, openWorld } = info;
    const [inputSchema, outputSchema] = [info.inputSchema, info.outputSchema].map((schema) =>
      mapSchemas(schema, withoutOwnKeywords),
    ) as [JsonSchema, JsonSchema]; // two of two
    const hints = HINTS[effect];
    const annotations = {
      title,
      ...hints,
      destructiveHint: info.destructive ?? hints.destructiveHint,
      idempotentHint: info.idempotent ?? hints.idempotentHint,
      openWorldHint: openWorld,
    };
    entry = { name, title, description, inputSchema, outputSchema, annotations };
    entries.set(info, entry);
  }
  return entry;
}

/** In `_meta` of `tools/list`, as true: the list has the whole schema of each result, for programs that make types of it. */
export const WHOLE_SCHEMAS = 'service-mcp/whole-schemas';

const brief = new WeakMap<ToolInfo, ToolEntry>();

/**
 * A tool as a model reads it, since a list is read whole before the first call. Of the result the types of its fields
 * alone: results come as text besides. Of the arguments all but what only programs read. Everything that fits the whole
 * schemas fits these.
 */
export function briefEntry(info: ToolInfo): ToolEntry {
  let entry = brief.get(info);
  if (!entry) {
    const whole = toolEntry(info);
    const properties = Object.entries((whole.outputSchema['properties'] ?? {}) as Record<string, JsonSchema>);
    const inputSchema = mapSchemas(info.inputSchema, (schema) => withoutOwnKeywords(forModels(schema)));
    const outputSchema = {
      type: 'object',
      properties: Object.fromEntries(properties.map(([name, property]) => [name, firstLevel(property)])),
    };
    entry = { ...whole, inputSchema, outputSchema };
    brief.set(info, entry);
  }
  return entry;
}

const NOT_BLANK = String.raw`\S`;
/** Grammars that constrain a model's output refuse longer repetitions, or take minutes to build. */
const MAX_GRAMMAR_LENGTH = 2000;

/**
 * A schema as a model reads it: ids by their format, which is shorter than their pattern, without names for
 * programs, and without what costs tokens or breaks grammars and is checked by the service anyway.
 */
function forModels(schema: JsonSchema): JsonSchema {
  const { pattern, maxLength, minLength, uniqueItems: _unique, title: _name, ...rest } = schema;
  return {
    ...rest,
    ...(rest['x-listed-by'] !== undefined && { format: 'uuid' }),
    ...(pattern !== undefined && pattern !== NOT_BLANK && rest['x-listed-by'] === undefined && { pattern }),
    ...(minLength !== undefined && minLength !== 1 && { minLength }),
    ...(Number(maxLength) <= MAX_GRAMMAR_LENGTH && { maxLength }),
  };
}

function withoutOwnKeywords(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-')));
}

/** The type of a schema, without what its parts are. */
function firstLevel(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values } = schema;
  const branches = Array.isArray(anyOf) ? (anyOf as JsonSchema[]).map(firstLevel) : [];
  const items = (schema['items'] as JsonSchema | undefined)?.['type'];
  return {
    ...(type !== undefined && values === undefined && { type }),
    ...(branches.length > 0 && { anyOf: branches }),
    ...(items !== undefined && { items: { type: items } }),
    ...(values !== undefined && { enum: values }),
  };
}

/** The largest body, in bytes, that one of these tools takes. */
export function largestBody(declared: readonly ToolInfo[]): number {
  return Math.max(BODY_LIMIT, ...declared.map((tool) => tool.http?.bodyLimit ?? BODY_LIMIT));
}
