import { Type } from 'typebox';
import { Events, definePlugin, defineTool } from '@service-mcp/core';
import { membershipsIn } from '@service-mcp/core/testing';

const closed = { additionalProperties: false };

/** Members of each workspace, by name; tests change it. */
export const members = new Map<string, Set<string>>();

const recordEvents = defineTool({
  name: 'recorder_record',
  title: 'Record events',
  description: 'Records change events.',
  input: Type.Object(
    {
      workspace: Type.String({ maxLength: 50, description: 'Where.' }),
      type: Type.String({ maxLength: 50, default: 'thing.made', description: 'What.' }),
      count: Type.Integer({ default: 1, minimum: 1, maximum: 10_000, description: 'How often.' }),
      text: Type.String({ default: '', maxLength: 5000, description: 'What it says.' }),
    },
    closed,
  ),
  output: Type.Object({}, closed),
  effect: 'read',
  access: { scope: 'things:read', in: 'deployment' },
  uses: { events: Events },
  async handler({ workspace, type, count, text }, { events }) {
    const each = { type, workspaceId: workspace, data: { text } };
    await events.change(async (_sql, record) => record(...Array.from({ length: count }, () => each)));
    return {};
  },
});

const event = { description: 'For the test.', scope: 'things:read', data: Type.Object({}) };

export const recorder = definePlugin({
  id: 'recorder',
  description: 'Change events for the tests of the stream.',
  api: '^1',
  events: [
    { ...event, type: 'thing.made' },
    { ...event, type: 'thing.lost' },
    { ...event, type: 'member.removed', changesAccess: true },
  ],
  services: [membershipsIn(members)],
  toolsets: [{ id: 'recorder', description: 'All.', tools: [recordEvents] }],
});

export interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Reads a stream of server-sent events as it comes. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const got: StreamEvent[] = [];
  let ended = false;
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (!block.startsWith(':')) got.push(read(block));
    }
  })()
    .catch(() => undefined)
    .finally(() => (ended = true));
  return {
    response,
    got,
    get ended() {
      return ended;
    },
    async until(condition: () => boolean): Promise<void> {
      for (let waited = 0; !condition(); waited += 5) {
        if (waited > 8000) throw new Error(`it did not come: ${JSON.stringify(got)}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async leave() {
      leaving.abort();
      await reading;
    },
  };
}

function read(block: string): StreamEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  ) as Record<string, string>;
  const { id, event: name, data } = fields;
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { event: name }),
    ...(data !== undefined && { data: JSON.parse(data) as Record<string, unknown> }),
  };
}
