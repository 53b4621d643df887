import assert from 'node:assert/strict';
import { Type } from 'typebox';
import {
  Page,
  RegistryView,
  closed,
  definePlugin,
  defineTool,
  type Plugin,
  type Tool,
  type View,
} from '@service-mcp/core';
import { probe, testHost } from '@service-mcp/core/testing';
import { boots, echo, refuses, untyped } from './fixtures.js';

const list = defineTool({
  name: 'demo_list',
  title: 'List',
  description: 'Lists rows.',
  input: Type.Object({}, closed),
  output: Page(Type.Object({ id: Type.String(), state: Type.String() }, closed)),
  effect: 'read',
  access: { scope: 'demo:read', in: 'deployment' },
  uses: {},
  handler: async () => ({ items: [], total: 0, page: 1, per_page: 20, has_next: false, has_prev: false }),
});
const close = defineTool({
  name: 'demo_close',
  title: 'Close',
  description: 'Closes a row.',
  input: Type.Object({ row_id: Type.String({ description: 'The row' }) }, closed),
  output: Type.Object({}, closed),
  effect: 'delete',
  access: { scope: 'demo:write', in: 'deployment' },
  uses: {},
  handler: async () => ({}),
});

/** A plugin with one view, typed. */
const typed = definePlugin({
  id: 'demo',
  description: 'For tests.',
  api: '^1',
  toolsets: [{ id: 'demo', description: 'For tests.', tools: [list, close, echo()] }],
  views: [
    {
      id: 'rows',
      title: 'Rows',
      list: 'demo_list',
      columns: ['id', 'state'],
      create: 'demo_echo',
      remove: { tool: 'demo_close', label: 'Close', with: { row_id: 'id' }, unless: 'state' },
      refresh_on: ['tools.'],
    },
  ],
});
const [view] = typed.views as readonly [View];

/** The plugin with other fields of its view, as JavaScript may write them, and other tools. */
const changed = (init: object, tools?: readonly Tool[]): Plugin => ({
  ...typed,
  ...(tools && { toolsets: [{ id: 'demo', description: 'For tests.', tools }] }),
  views: [untyped<View>({ ...view, ...init })],
});
const PLACE = /^plugin demo, view "rows"$/;

describe('views of a plugin', () => {
  it('are in the registry, with defaults, without the parts that the deployment leaves out', async () => {
    const viewsOf = async (toolsets: object) => {
      const { plugin, services } = probe({ registry: RegistryView });
      const host = await testHost({ plugins: [typed, plugin], config: { toolsets } });
      try {
        const { views, readOnly } = services().registry;
        return { readOnly, views };
      } finally {
        await host.stop();
      }
    };
    const whole = { ...view, plugin: 'demo', actions: [] };
    assert.deepEqual(await viewsOf({}), { readOnly: false, views: [whole] });
    const { remove: _remove, ...rest } = whole;
    assert.deepEqual(await viewsOf({ read_only: true }), { readOnly: true, views: [rest] });
    const { create: _create, ...bare } = rest;
    assert.deepEqual((await viewsOf({ exclude: ['demo_close', 'demo_echo'] })).views, [bare]);
    assert.deepEqual((await viewsOf({ exclude: ['demo_list'] })).views, []);
  });

  it('of unknown tools, columns, arguments and events are refused, with the nearest name', async () => {
    for (const [init, remedy, message] of [
      [{ list: 'demo_lost' }, /demo_list/, /list names "demo_lost", which is not a tool/],
      [{ create: 'workspaces_create' }, /Known: demo_/, /create names/],
      [{ columns: ['id', 'sate'] }, /"state"/, /columns names "sate"/],
      [{ remove: { ...view.remove, tool: 'demo_clsoe' } }, /demo_close/, /remove names/],
      [{ remove: { ...view.remove, with: { rowid: 'id' } } }, /row_id/, /not an argument of "demo_close"/],
      [{ remove: { ...view.remove, with: { row_id: 'ids' } } }, /"id"/, /remove\.with names "ids"/],
      [{ remove: { ...view.remove, unless: 'gone' } }, /id, state/, /remove\.unless/],
      [{ remove: { ...view.remove, own_label: 'Leave' } }, /access\.unlessSelf/, /remove\.own_label/],
      [{ actions: [{ tool: 'x', label: 'X', with: {} }] }, /Known: demo_/, /actions names "x"/],
      [{ refresh_on: ['rows.'] }, /tools\.changed/, /no event starts with it/],
    ] as const)
      await refuses(() => boots(changed(init)), PLACE, remedy, message);
  });

  it('that are mistyped are refused', async () => {
    for (const [init, message] of [
      [{ columns: [] }, /columns/],
      [{ columns: 'id' }, /columns/],
      [{ colums: ['id'] }, /colums is not a known field/],
      [{ title: '' }, /title/],
      [{ icon: 'rocket' }, /icon/],
      [{ remove: { tool: 'demo_close', label: 'Close' } }, /remove/],
      [{ list: { name: 'demo_list' } }, /list/],
    ] as const)
      await refuses(() => boots(changed(init)), PLACE, /types of definePlugin/, message);
    await refuses(() => boots(changed({ id: 'Rows/../x' })), /view "Rows/, /definePlugin/, /id must match/);
    const twice = { ...typed, views: [view, view] };
    await refuses(() => boots(twice), PLACE, /Rename/, /twice/);
  });

  it('of a list that is not a page, or that no browser reaches, are refused', async () => {
    const others = [close, echo()];
    await refuses(() => boots(changed({ list: 'demo_echo' })), PLACE, /Page\(…\)/, /a page of objects/);
    const remote = [{ ...list, surfaces: ['mcp'] }, ...others];
    await refuses(() => boots(changed({}, remote)), PLACE, /'rest' or 'rpc'/, /no browser reaches/);
  });
});
