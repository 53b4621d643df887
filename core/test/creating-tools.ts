import { Type } from 'typebox';
import {
  Events,
  LocalCatalog,
  Memberships,
  ServiceError,
  WorkspaceData,
  closed,
  defineTool,
  token,
  provide,
  type Role,
} from '@service-mcp/core';
import { probe } from '@service-mcp/core/testing';
import { demo } from './fixtures.js';

/** How often something was made, and whether making fails after it. */
export const making = { runs: 0, fails: false };

const Things = token<{ make(): Promise<number> }>('demo.Things');
const things = provide(Things, {
  uses: {},
  create: () => ({
    async make() {
      making.runs += 1;
      const made = making.runs;
      await new Promise((resolve) => setTimeout(resolve, 60));
      if (making.fails) throw new ServiceError('CONFLICT', 'not today');
      return made;
    },
  }),
});
const shape = {
  title: 'Make',
  description: 'Makes a thing.',
  input: Type.Object({ name: Type.String({ description: 'Name', default: 'x' }) }, closed),
  output: Type.Object({ made: Type.Integer() }, closed),
  access: { scope: 'demo:write', in: 'deployment' },
  uses: { things: Things },
} as const;
const make = defineTool({
  ...shape,
  name: 'demo_make',
  effect: 'create',
  text: ({ made }, { name }) => `${name} ${made}`,
  handler: async (_input, { things: made }) => ({ made: await made.make() }),
});
/** Each caller has the one workspace that the credential is confined to. */
const memberships = provide(Memberships, {
  uses: {},
  create: () => ({
    of: ({ workspaceId = 'w0' }) => Promise.resolve(new Map<string, Role>([[workspaceId, 'owner']])),
    roleIn: ({ workspaceId = 'w0' }, id) =>
      Promise.resolve(id === workspaceId ? ('owner' as const) : undefined),
    named: () => Promise.resolve([]),
    join: () => Promise.resolve(true),
  }),
});
const makeInside = defineTool({
  ...shape,
  name: 'demo_make_inside',
  input: Type.Object({ workspace_id: Type.String({ description: 'Workspace' }) }, closed),
  access: { scope: 'demo:write', in: 'workspace' },
  effect: 'create',
  handler: async (_input, { things: made }) => ({ made: await made.make() }),
});
const makeTwo = defineTool({
  ...shape,
  name: 'demo_make_two',
  effect: 'create',
  uses: { catalog: LocalCatalog },
  async handler(_input, { catalog }, call) {
    await catalog.call('demo_make', { name: 'first' }, call);
    await catalog.call('demo_make', { name: 'second' }, call);
    return { made: 2 };
  },
});
/** Creates two things and fails after them. */
const makePart = defineTool({
  ...shape,
  name: 'demo_make_part',
  effect: 'create',
  uses: { events: Events },
  async handler(_input, { events }) {
    for (const id of ['a', 'b'])
      await events.change(async (_sql, record) =>
        record({ type: 'demo.made', workspaceId: null, data: { id } }),
      );
    throw new ServiceError('CONFLICT', 'not today');
  },
});
const { plugin: dataProbe, services } = probe({ data: WorkspaceData });
export { services };

/** Tools that create, and some that do not. */
export const plugins = [
  dataProbe,
  demo(
    [
      make,
      makeInside,
      makeTwo,
      { ...makeTwo, name: 'demo_make_two_secret', secretResult: true },
      makePart,
      { ...make, name: 'demo_make_other' },
      { ...make, name: 'demo_secret', secretResult: true },
      { ...make, name: 'demo_change', effect: 'update' },
    ],
    {
      services: [things, memberships],
      events: [
        {
          type: 'demo.made',
          description: 'Made.',
          scope: 'demo:read',
          data: Type.Object({ id: Type.String() }),
        },
      ],
    },
  ),
];
