import {
  Events,
  definePlugin,
  defineResource,
  defineTool,
  notFound,
  type ChangeEvent,
} from '@service-mcp/core';
import { Type } from 'typebox';

const closed = { additionalProperties: false };
const access = { scope: 'authenticated', in: 'deployment' } as const;
const Name = Type.String({ maxLength: 20, description: 'Which.' });

/** Names of lamps that are gone. */
export const gone = new Set<string>();

export const addressOf = (name: string) => `lamp://${name}`;

/** Lamps with a switch and change events. */
export const lamps = definePlugin({
  id: 'lamps',
  description: 'Lamps.',
  api: '^1',
  events: [
    {
      type: 'lamp.switched',
      description: 'It was switched.',
      scope: 'authenticated',
      data: Type.Object({ name: Name }, closed),
    },
  ],
  resources: [
    defineResource({
      uriTemplate: 'lamp://{name}',
      name: 'lamp',
      title: 'A lamp',
      description: 'A lamp.',
      mimeType: 'text/plain',
      access,
      uses: {},
      changedBy: { 'lamp.switched': ({ data }: ChangeEvent) => ({ name: String(data['name']) }) },
      async read({ name }) {
        if (gone.has(name)) throw notFound('lamp', name, 'resources/list');
        return [{ uri: addressOf(name), text: 'on' }];
      },
    }),
  ],
  toolsets: [
    {
      id: 'lamps',
      description: 'Lamps.',
      tools: [
        defineTool({
          name: 'lamps_switch',
          title: 'Switch a lamp',
          description: 'Switches it.',
          input: Type.Object({ name: Name }, closed),
          output: Type.Object({}, closed),
          effect: 'write',
          level: 'light',
          access,
          uses: { events: Events },
          async handler({ name }, { events }) {
            const switched = { type: 'lamp.switched', workspaceId: null, data: { name } };
            await events.change(async (_sql, record) => record(switched));
            return {};
          },
        }),
      ],
    },
  ],
});
