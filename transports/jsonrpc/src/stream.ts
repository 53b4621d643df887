import {
  ServiceError,
  invalidArgument,
  isId,
  type Catalog,
  type Metrics,
  type StreamedEvent,
  type EventStreamRequest,
} from '@service-mcp/core';
import { openEventStream, type EventStream, type HttpMount } from '@service-mcp/core/http';
import { OpenCount } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { plain } from './compatibility.js';

const PARAMETERS = new Set(['workspace_id', 'types']);
const MAX_TYPES = 100;

/** `GET /api/v1/stream`: the change events that the caller may see (interface.md 4.4, contract.md 8). */
export function mountStream(catalog: Catalog, http: HttpMount, metrics: Metrics): void {
  const readers = new OpenCount();
  metrics.gauge({
    name: 'service_mcp_stream_readers',
    help: 'Readers of /api/v1/stream',
    read: (set) => set(readers.count),
  });
  http.router.get('/api/v1/stream', (ctx) =>
    plain(http, ctx, async () => {
      const call = await http.call(ctx, 'rpc', { endless: true });
      const request = readRequest(ctx);
      const leave = readers.enter(call.caller);
      try {
        await stream(ctx, catalog.streamEvents(request, call), () =>
          http.call(ctx, 'rpc', { endless: true }),
        );
      } finally {
        leave();
      }
      return undefined;
    }),
  );
}

async function stream(
  ctx: Context,
  followed: AsyncIterable<StreamedEvent>,
  check: () => Promise<unknown>,
): Promise<void> {
  const items = followed[Symbol.asyncIterator]();
  const first = await items.next(); // a refusal comes before the head is sent
  if (first.done)
    throw new ServiceError('UNAVAILABLE', 'The service is stopping. Connect again in a moment.');
  const events = openEventStream(ctx, check);
  try {
    await copy(first.value, items, events);
  } catch (thrown) {
    // A reader that is too slow, or a stop, is told by the end of the stream.
    if (!(thrown instanceof ServiceError)) ctx.app.emit('error', thrown, ctx);
  } finally {
    await items.return?.();
    events.end();
  }
}

async function copy(
  first: StreamedEvent,
  items: AsyncIterator<StreamedEvent>,
  stream: EventStream,
): Promise<void> {
  for (let item = first; await stream.send(present(item));) {
    const next = await items.next();
    if (next.done) return;
    item = next.value;
  }
}

/** `stream.opened` and `reset` tell the place from which on events follow. */
function present(item: StreamedEvent): { id: string; event: string; data: string } {
  if (item.kind !== 'event') {
    const event = item.kind === 'opened' ? 'stream.opened' : 'reset';
    return { id: item.id, event, data: '{}' };
  }
  const { id, type, workspaceId, occurredAt, data } = item.event;
  const body = { type, workspace_id: workspaceId, occurred_at: occurredAt, data };
  return { id, event: type, data: JSON.stringify(body) };
}

function readRequest(ctx: Context): EventStreamRequest {
  for (const name of Object.keys(ctx.query)) {
    if (!PARAMETERS.has(name))
      throw invalidArgument(`/${name}`, 'is not known here; send workspace_id and types');
  }
  const [workspaceId, second] = listOf(ctx.query['workspace_id']);
  if (second !== undefined) throw invalidArgument('/workspace_id', 'must be one id; leave it out for all');
  if (ctx.query['workspace_id'] !== undefined && !isId(workspaceId ?? '')) {
    const message = 'must be an id, not a name: call workspaces_list for the ids, or leave it out for all';
    throw invalidArgument('/workspace_id', message);
  }
  const types = listOf(ctx.query['types']);
  if (types.length > MAX_TYPES) throw invalidArgument('/types', `must be at most ${MAX_TYPES}`);
  const after = ctx.get('last-event-id');
  return {
    types,
    ...(workspaceId !== undefined && { workspaceId }),
    ...(after !== '' && { after }),
  };
}

/** Repeated parameters, or one with commas. */
function listOf(parameter: string | readonly string[] | undefined): string[] {
  return [parameter ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter(Boolean);
}
