import { Type } from 'typebox';
import {
  Events,
  definePlugin,
  type Caller,
  type EventStreamRequest,
  type StreamedEvent,
} from '@service-mcp/core';
import { membershipsIn, probe, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';

const event = { description: 'For the test.', scope: 'things:read', data: Type.Object({}) };

/** A host that records events of a plugin of things, with these workspaces by user id. */
export async function startEventHost(
  database: TestDatabase,
  members: ReadonlyMap<string, Set<string>>,
  listen = false,
) {
  const { plugin, services } = probe({ events: Events });
  const things = definePlugin({
    id: 'things',
    description: 'Things with events.',
    api: '^1',
    events: [
      { ...event, type: 'thing.made' },
      { ...event, type: 'thing.lost', scope: 'losses:read' },
      { ...event, type: 'member.removed', changesAccess: true },
    ],
    services: [membershipsIn(members), ...plugin.services], // it records what it declares
  });
  const host = await testHost({ database, plugins: [things], workers: false, listen });
  const { events } = services();
  const recordEvent = (workspaceId: string | null, n: number, type = 'thing.made') =>
    events.change(async (_sql, record) => record({ type, workspaceId, data: { n } }));
  return { host, events, recordEvent };
}

/** Reads events until `end`; the ones so far are in `got`. */
export function readEvents(host: TestHost, caller: Caller, request: Partial<EventStreamRequest> = {}) {
  const ending = new AbortController();
  const got: StreamedEvent[] = [];
  const items = host.catalog.streamEvents(
    { types: [], ...request },
    host.call({ caller, signal: ending.signal }),
  );
  const ended = (async () => {
    for await (const item of items) got.push(item);
  })();
  const numbers = () => got.flatMap((item) => (item.kind === 'event' ? [item.event.data['n']] : []));
  return {
    got,
    numbers,
    ended,
    async until(count: number) {
      for (let waited = 0; got.length < count; waited += 5) {
        if (waited > 8000) throw new Error(`got ${JSON.stringify(got)}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async end() {
      ending.abort();
      await ended;
    },
  };
}
