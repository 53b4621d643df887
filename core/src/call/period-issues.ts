import type { Issue } from '../errors.js';
import type { JsonSchema } from '../tool.js';

/** The fault of arguments whose `since` is not before their `until`, between which nothing can be. */
export function periodIssues(schema: JsonSchema, value: unknown): Issue[] {
  const { since: from, until: to } = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (from?.['x-day'] === undefined || to?.['x-day'] === undefined) return [];
  const { since, until } = (value ?? {}) as { readonly since?: string; readonly until?: string };
  if (since === undefined || until === undefined || Date.parse(since) < Date.parse(until)) return [];
  return [{ path: '/since', message: 'must be before until: nothing lies between them' }];
}
