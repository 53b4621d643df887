import { Type } from 'typebox';
import {
  closed,
  definePlugin,
  defineTool,
  ERRORS,
  inputRequired,
  Page,
  paging,
  ServiceError,
  type ErrorCode,
  type Tool,
} from '@service-mcp/core';

const access = { scope: 'items:read', in: 'deployment' } as const;
const itemId = Type.String({ minLength: 1, maxLength: 100, description: 'Item id' });
/** Every tool answers with the arguments that reached its handler, as JSON text. */
const Seen = Type.Object({ seen: Type.String() }, closed);
const echo = async (input: object) => ({ seen: JSON.stringify(input) });

const reading = { output: Seen, effect: 'read', access, uses: {} } as const;
const writing = { output: Seen, access: { scope: 'items:write', in: 'deployment' }, uses: {} } as const;

const list = defineTool({
  name: 'items_list',
  title: 'List items',
  description: 'Lists items. The first of them holds the arguments.',
  input: Type.Object(
    {
      ...paging,
      tags: Type.Optional(Type.Array(Type.String(), { description: 'Tags' })),
      sizes: Type.Optional(Type.Array(Type.Integer(), { description: 'Sizes' })),
      flag: Type.Optional(Type.Boolean({ description: 'A flag' })),
      ratio: Type.Optional(Type.Number({ description: 'A ratio' })),
      mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'A mode' })),
      code: Type.Optional(Type.String({ maxLength: 20, description: 'Text that may look like a number' })),
      since: Type.Optional(Type.String({ format: 'date-time', description: 'A time' })),
      most: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: 'A number or null' })),
    },
    closed,
  ),
  output: Page(Seen),
  effect: 'read',
  access,
  http: { method: 'GET', path: '/v1/items', also: ['/v1/items/of/:code'], bareAt: ['/api/v1/items'] },
  uses: {},
  handler: async (input) => ({
    items: [await echo(input)],
    total: 1,
    page: input.page,
    per_page: input.per_page,
    has_next: false,
    has_prev: false,
  }),
});

const create = defineTool({
  name: 'items_create',
  title: 'Create an item',
  description: 'Creates an item.',
  input: Type.Object(
    {
      name: Type.String({ maxLength: 50, description: 'Name' }),
      size: Type.Integer({ default: 1, description: 'Size' }),
      filters: Type.Optional(
        Type.Object({ kinds: Type.Array(Type.String()) }, { ...closed, description: 'Filters' }),
      ),
    },
    closed,
  ),
  ...writing,
  effect: 'create',
  http: { method: 'POST', path: '/v1/items', bodyLimit: 4096 },
  handler: echo,
});

const get = defineTool({
  name: 'items_get',
  title: 'Get an item',
  description: 'Gets one item.',
  input: Type.Object({ item_id: itemId }, closed),
  ...reading,
  http: { method: 'GET', path: '/v1/items/:item_id' },
  handler: echo,
});

const recent = defineTool({
  name: 'items_recent',
  title: 'Recent items',
  description: 'A literal segment where another route has a parameter.',
  input: Type.Object({}, closed),
  ...reading,
  http: { method: 'GET', path: '/v1/items/recent' },
  handler: async () => ({ seen: 'recent' }),
});

const update = defineTool({
  name: 'items_update',
  title: 'Update an item',
  description: 'Updates one item.',
  input: Type.Object(
    { item_id: itemId, name: Type.Optional(Type.String({ maxLength: 50, description: 'Name' })) },
    closed,
  ),
  ...writing,
  effect: 'update',
  http: { method: 'PATCH', path: '/v1/items/:item_id' },
  handler: echo,
});

const remove = defineTool({
  name: 'items_delete',
  title: 'Delete an item',
  description: 'Deletes one item.',
  input: Type.Object(
    { item_id: itemId, force: Type.Boolean({ default: false, description: 'Force' }) },
    closed,
  ),
  ...writing,
  effect: 'delete',
  http: { method: 'DELETE', path: '/v1/items/:item_id' },
  handler: echo,
});

const revise = defineTool({
  name: 'items_revise',
  title: 'Revise an item',
  description: 'A POST whose arguments come from path, query and body, one of them a tree.',
  input: Type.Unsafe<{ item_id: string; revision: number; per_page?: number }>({
    type: 'object',
    additionalProperties: false,
    required: ['item_id', 'revision'],
    properties: {
      item_id: { type: 'string', description: 'Item id' },
      revision: { type: 'integer', minimum: 1, description: 'Revision' },
      per_page: { type: 'integer', description: 'Items a page' },
      tree: { $ref: '#/$defs/Node', description: 'A tree' },
    },
    $defs: {
      Node: {
        type: 'object',
        additionalProperties: false,
        properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      },
    },
  }) as never,
  ...writing,
  effect: 'update',
  http: { method: 'POST', path: '/v1/items/:item_id/revisions' },
  handler: echo,
});

const legacy = defineTool({
  name: 'items_legacy',
  title: 'Legacy items',
  description: 'Exists under /api/v1 alone.',
  input: Type.Object({}, closed),
  output: Seen,
  effect: 'read',
  access: { scope: 'public', in: 'deployment' },
  http: { method: 'GET', path: '/api/v1/legacy-items' },
  uses: {},
  handler: echo,
});

const fail = defineTool({
  name: 'items_fail',
  title: 'Fail',
  description: 'Fails with the code it is given; without one, with a foreign error.',
  input: Type.Object(
    { code: Type.Optional(Type.Enum(Object.keys(ERRORS), { description: 'Error code' })) },
    closed,
  ),
  ...reading,
  http: { method: 'POST', path: '/v1/items-fail' },
  async handler({ code }) {
    if (code === undefined) throw new Error('SELECT secret FROM /var/lib/hidden');
    throw new ServiceError(code as ErrorCode, `Failed with ${code}.`, { details: { about: code } });
  },
});

const ask = defineTool({
  name: 'items_ask',
  title: 'Ask',
  description: 'Asks the person first.',
  input: Type.Object({}, closed),
  ...reading,
  http: { method: 'POST', path: '/v1/items-ask' },
  handler: async () =>
    inputRequired([{ name: 'sure', message: 'Are you sure?', schema: {} }], { instead: 'confirm' }),
});

const hidden = defineTool({
  name: 'items_hidden',
  title: 'Hidden',
  description: 'Has a route, but not on this surface.',
  input: Type.Object({}, closed),
  ...reading,
  surfaces: ['mcp'],
  http: { method: 'GET', path: '/v1/items-hidden' },
  handler: echo,
});

const wild = defineTool({
  name: 'zoo_wild',
  title: '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">',
  description:
    '<script>window.hacked = 3</script><img src=x onerror="window.hacked = 4"> [link](javascript:window.hacked=5) ' +
    '<iframe srcdoc="<script>parent.hacked = 6</script>"></iframe> <a href="javascript:window.hacked=7">x</a>',
  input: Type.Object(
    {
      area: Type.String({ maxLength: 20, description: '<img src=x onerror="window.hacked = 8">' }),
      thing: Type.String({ maxLength: 20, description: 'Thing' }),
    },
    closed,
  ),
  ...reading,
  http: { method: 'GET', path: '/v1/:area/things/:thing' },
  handler: echo,
});

/** Tools of every method and shape, in two toolsets of one plugin. */
export const plugin = definePlugin({
  id: 'items',
  description: 'Tools that show what reached them.',
  api: '^1',
  toolsets: [
    {
      id: 'items',
      description: 'Items',
      tools: [list, create, get, recent, update, remove, revise, legacy, fail, ask, hidden] as Tool[],
    },
    { id: 'zoo', description: 'A third party', tools: [wild] },
  ],
});
