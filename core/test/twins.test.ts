import { Type } from 'typebox';
import {
  ResourceOwners,
  contribute,
  definePrompt,
  defineResource,
  defineWorker,
  rowOwner,
  type Plugin,
  type Sql,
} from '@service-mcp/core';
import { boots, demo, echo, refuses } from './fixtures.js';

describe('two plugins with one name for a part', () => {
  const plugin = (id: string, init: Partial<Plugin>) => demo([], { id, toolsets: [], ...init });
  /** Boots two plugins, `first` and `second`, that have the same. */
  const twice = (init: Partial<Plugin>) => boots(plugin('first', init), plugin('second', init));
  const refusesTwins = (init: Partial<Plugin>, part: RegExp) =>
    refuses(
      () => twice(init),
      new RegExp(`^plugin second, ${part.source}$`),
      /^Rename .*, or leave one plugin out\.$/,
      /plugin first has /,
    );
  const worker = (exclusive: boolean) =>
    defineWorker({ id: 'sweep', uses: {}, everyMs: 1000, exclusive, run: async () => ({ more: false }) });
  const event = (type: string) => ({ type, description: 'X', scope: 'demo:read', data: Type.Object({}) });
  const access = { scope: 'demo:read', in: 'self' } as const;
  const resource = (uriTemplate: string) =>
    defineResource({
      uriTemplate,
      name: 'x',
      title: 'X',
      description: 'X',
      mimeType: 'text/plain',
      access,
      uses: {},
      read: async () => [],
    });

  it('are refused for workers of which one alone would ever run', async () => {
    await refusesTwins({ workers: [worker(true)] }, /worker "sweep"/);
    await (await twice({ workers: [worker(false)] })).stop();
  });

  it('are refused for event types, also those of core', async () => {
    await refusesTwins({ events: [event('thing.made')] }, /event "thing\.made"/);
    const toolsChanged = plugin('own', { events: [event('tools.changed')] });
    await refuses(() => boots(toolsChanged), /^plugin own, event/, /./, /core has /);
  });

  it('are refused for aliases of tools', () =>
    refuses(
      () =>
        boots(
          ...['first', 'second'].map((id) => {
            const tools = [echo({ name: `${id}_echo`, aliases: ['old_name'] })];
            return demo([], { id, toolsets: [{ id, description: 'X', tools }] });
          }),
        ),
      /^plugin second, alias "old_name"$/,
      /^Rename .*, or leave one plugin out\.$/,
      /plugin first has /,
    ));

  it('are refused for prompts', () =>
    refusesTwins(
      {
        prompts: [
          definePrompt({
            name: 'same',
            title: 'X',
            description: 'X',
            arguments: [],
            access,
            uses: {},
            render: async () => [],
          }),
        ],
      },
      /prompt "same"/,
    ));

  it('are refused for addresses of resources, whatever their variables are called', async () => {
    await refusesTwins({ resources: [resource('thing://x')] }, /resource "thing:\/\/x"/);
    await refuses(
      () =>
        boots(
          plugin('first', { resources: [resource('thing://{id}')] }),
          plugin('second', { resources: [resource('thing://{name}')] }),
        ),
      /^plugin second, resource "thing:\/\/\{name\}"$/,
      /leave one plugin out/,
    );
  });

  it('are refused for owners of a resource', () => {
    const owner = () =>
      contribute(ResourceOwners, {
        uses: {},
        create: () => ({ resource: 'thing', listedBy: 'x', workspaceOf: async () => undefined }),
      });
    return refuses(
      () => boots(plugin('first', { services: [owner()] }), plugin('second', { services: [owner()] })),
      /^plugin second, owner of the resource "thing"$/,
      /leave one plugin out/,
      /plugin first has /,
    );
  });

  it('are one owner of a resource where both lie in one table', async () => {
    const owner = () => rowOwner({ resource: 'thing', table: 'things', listedBy: 'x' });
    const create = {
      id: '001_create_things',
      up: (sql: Sql) =>
        sql.schema.createTable('things', (table) => {
          for (const column of ['id', 'workspace_id']) table.text(column);
        }),
    };
    const host = await boots(
      plugin('first', { services: [owner()], migrations: [create] }),
      plugin('second', { services: [owner()] }),
    );
    await host.stop();
  });
});
