import { Type } from 'typebox';
import {
  Events,
  Memberships,
  definePlugin,
  provide,
  token,
  type Caller,
  type StreamedEvent,
  type EventStreamRequest,
  type Role,
} from '@service-mcp/core';
import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';

const scope = 'things:read';
const data = Type.Object({});
const event = { description: 'For the test.', scope, data };

/** A host whose plugin knows who is a member of which workspace, and gives its events away. */
export async function hostOver(database: TestDatabase, members: Map<string, Set<string>>) {
  let events: Events | undefined;
  const rolesOf = (caller: Caller): ReadonlyMap<string, Role> =>
    new Map([...(members.get(caller.userId) ?? [])].map((id) => [id, 'member']));
  const plugin = definePlugin({
    id: 'things',
    description: 'Things that happen.',
    api: '^1',
    events: [
      { ...event, type: 'thing.made' },
      { ...event, type: 'thing.lost', scope: 'losses:read' },
      { ...event, type: 'member.removed', changesAccess: true },
    ],
    services: [
      provide(Memberships, {
        uses: {},
        create: (): Memberships => ({
          of: async (caller) => rolesOf(caller),
          roleIn: async (caller, id) => rolesOf(caller).get(id),
          named: async () => [],
          join: async () => undefined,
        }),
      }),
      provide(token<Events>('things.Events'), { uses: { Events }, create: (uses) => (events = uses.Events) }),
    ],
  });
  const host = await testHost({ database, plugins: [plugin], workers: false });
  if (!events) throw new Error('the service was not built');
  const recorded: Events = events;
  const happen = async (workspaceId: string | null, n: number, type = 'thing.made') => {
    await recorded.change(async (_sql, record) => record({ type, workspaceId, data: { n } }));
  };
  return { host, events: recorded, happen };
}

/** Follows until `end`; what was got so far lies in `got`. */
export function reader(host: TestHost, caller: Caller, request: Partial<EventStreamRequest> = {}) {
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
