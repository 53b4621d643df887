import { CORE_EVENTS } from '@service-mcp/core/host';
import { defaultPlugins } from '../deployment.js';
import { code, page, prose, table } from './markdown.js';
import { fieldsOf, type Schema } from './schema-text.js';

const INTRODUCTION =
  '`GET /api/v1/stream` sends these as server-sent events: `id`, `event` (the type) and `data`, which is `{type, workspace_id, occurred_at, data}` with the fields below in its own `data`. A reader gets an event if its credential has the scope and can see the workspace. `workspace_id` is null for events of the deployment.';

const STREAM =
  'A stream begins with `stream.opened`, or with `reset` when events after `Last-Event-ID` have expired (24 hours): then reload your copies. Both have an `id` to go on from.';

/** Every kind of change event of the default deployment. */
export async function eventsPage(): Promise<string> {
  const plugins = (await defaultPlugins()).map(({ plugin }) => plugin);
  const kinds = [...CORE_EVENTS, ...plugins.flatMap(({ events }) => events)];
  const rows = kinds
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, description, scope, data }) => [
      code(type),
      prose(description),
      scope === 'authenticated' ? 'any credential' : code(scope),
      fieldsOf(data as Schema)
        .map((field) => `${code(field.path)}${field.required ? '' : '?'} (${field.type})`)
        .join(', '),
    ]);
  return page('Events', INTRODUCTION, STREAM, table(['event', 'when', 'scope', 'data'], rows));
}
