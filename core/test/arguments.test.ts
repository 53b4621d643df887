import assert from 'node:assert/strict';
import { Type } from 'typebox';
import {
  Memberships,
  ResourceOwners,
  ServiceError,
  closed,
  contribute,
  definePrompt,
  defineTool,
  provide,
  type Role,
} from '@service-mcp/core';
import { callerWith, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo } from './fixtures.js';

const WORKSPACES: Readonly<Record<string, readonly string[]>> = { ann: ['w1', 'w2'], bob: ['w3'], new: [] };
const memberships = provide(Memberships, {
  uses: {},
  create: () => {
    const of = (userId: string) =>
      new Map((WORKSPACES[userId] ?? []).map((id): [string, Role] => [id, 'member']));
    return {
      of: ({ userId }) => Promise.resolve(of(userId)),
      roleIn: ({ userId }, id) => Promise.resolve(of(userId).get(id)),
      named: () => Promise.resolve([]),
      join: () => Promise.resolve(true),
    };
  },
});
const owner = (resource: string, workspaceOf: (id: string) => string | undefined) =>
  contribute(ResourceOwners, {
    uses: {},
    create: () => ({
      resource,
      listedBy: `demo_list_${resource}`,
      workspaceOf: (id: string) => Promise.resolve(workspaceOf(id)),
    }),
  });
/** Board `b2` is in workspace w2, board `b3` in w3; there is no b9. */
const boards = owner('board', (id) => (id === 'b9' ? undefined : `w${id.slice(1)}`));

const text = (description: string) => Type.String({ description, maxLength: 100 });
const Maybe = Type.Union([text('A note'), Type.Null()], { description: 'Null removes it' });
const Shelf = Type.Object({ deep: Type.Boolean({ description: 'Deep', default: true }) });
const tool = defineTool({
  name: 'demo_place',
  title: 'Place',
  description: 'Says which arguments its handler got.',
  input: Type.Object(
    {
      workspace_id: text('Workspace'),
      board_id: Type.Optional(
        Type.String({ description: 'Board', pattern: '^b\\d$', 'x-listed-by': 'demo_list_board' }),
      ),
      size: Type.Integer({ description: 'Size', default: 3, minimum: 1, maximum: 9 }),
      note: Type.Optional(Maybe),
      filters: Type.Optional(
        Type.Object(
          {
            kind: Type.Optional(Type.Enum(['a', 'b'], { description: 'Kind' })),
            deep: Type.Boolean({ description: 'Deep', default: true }),
          },
          { ...closed, description: 'Filters' },
        ),
      ),
      shelves: Type.Optional(
        Type.Record(Type.String({ maxLength: 9 }), Shelf, { description: 'Shelves', maxProperties: 9 }),
      ),
      whole: Type.Optional(Type.Intersect([Shelf], { description: 'Whole' })),
      rows: Type.Optional(
        Type.Array(Type.Object({ name: Type.Optional(text('Name')) }, closed), {
          description: 'Rows',
          maxItems: 9,
        }),
      ),
      texts: Type.Optional(
        Type.Union([text('Text'), Type.Array(text('Text'), { maxItems: 9 })], { description: 'Texts' }),
      ),
    },
    closed,
  ),
  output: Type.Object({ got: Type.Record(Type.String(), Type.Unknown()) }, closed),
  effect: 'create',
  access: { scope: 'demo:write', in: 'workspace' },
  uses: {},
  handler: (input) => Promise.resolve({ got: { ...input } }),
});

const prompt = definePrompt({
  name: 'demo_shelve',
  title: 'Shelve',
  description: 'Completes a shelf by what was chosen before.',
  arguments: [
    { name: 'shelf', description: 'Shelf', required: false },
    { name: 'room', description: 'Room', required: false },
  ],
  access: { scope: 'demo:read', in: 'self' },
  uses: {},
  render: () => Promise.resolve([]),
  complete: (_name, value, _deps, _call, { room = 'none' }) => Promise.resolve([`${room} ${value}`]),
});

describe('arguments of a call', () => {
  let host: TestHost;
  before(async () => {
    const services = [memberships, owner('workspace', (id) => id), boards];
    host = await testHost({ plugins: [demo([tool], { prompts: [prompt], services })] });
  });
  after(() => host.stop());

  const place = async (args: object, userId = 'ann', more: object = {}) =>
    (await host.use<{ got: object }>('demo_place', args, { as: callerWith({ userId }), ...more })).got;
  const issuesOf = async (args: object, userId?: string) => {
    const error = await place(args, userId).then(
      () => assert.fail('it was taken'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ServiceError && error.code === 'INVALID_ARGUMENT', String(error));
    const { issues } = error.details as { issues: { path: string }[] };
    return issues.map(({ path }) => path);
  };

  it('are named by the beginning of their path where a client made that long', async () => {
    const key = 'k'.repeat(100_000);
    const long = (start: string) => `${start.padEnd(200, 'k')}…`;
    assert.deepEqual(await issuesOf({ [key]: '\0' }), [long('/')]);
    assert.deepEqual(await issuesOf({ workspace_id: 'w1', shelves: { [key]: 'none' } }), [long('/shelves/')]);
  });

  it('null counts as left out where an argument is optional and has no null, at any depth', async () => {
    const args = {
      board_id: null,
      size: null,
      filters: { kind: null, deep: null },
      rows: [{ name: null }, {}],
    };
    assert.deepEqual(await place({ workspace_id: null, ...args }, 'bob'), {
      workspace_id: 'w3',
      size: 3,
      filters: { deep: true },
      rows: [{}, {}],
    });
    assert.deepEqual(await place({ note: null, rows: null }, 'bob'), {
      note: null,
      workspace_id: 'w3',
      size: 3,
    });
    assert.deepEqual(await issuesOf({ nothing: null, rows: [null] }, 'bob'), ['/nothing', '/rows/0']);
  });

  it('the object of the caller stays as it is', async () => {
    const { freeze } = Object;
    const nothing = freeze({});
    const args = freeze({
      filters: nothing,
      rows: freeze([nothing]),
      shelves: freeze({ a: nothing }),
      whole: nothing,
    });
    const call = host.call({ caller: callerWith({ userId: 'bob' }), idempotencyKey: 'k' });
    for (let again = 0; again < 2; again++) await host.catalog.call('demo_place', args, call);
    assert.deepEqual(args, { filters: {}, rows: [{}], shelves: { a: {} }, whole: {} });
    const { shelves, whole } = args;
    assert.deepEqual(await place({ shelves, whole }, 'bob'), {
      size: 3,
      shelves: { a: { deep: true } },
      whole: { deep: true },
      workspace_id: 'w3',
    });
  });

  it('an excess of fields or items is refused by its bound, and no more of it is looked at', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => n);
    const rows = many(100).map(() => 1);
    const shelves = Object.fromEntries(many(100).map((n) => [`s${n}`, 1]));
    const excess = await issuesOf({ rows }, 'bob');
    assert.deepEqual(excess, ['/rows', ...many(10).map((n) => `/rows/${n}`)]);
    assert.deepEqual((await issuesOf({ shelves }, 'bob')).toSorted(), [
      '/shelves',
      ...many(10).map((n) => `/shelves/s${n}`),
    ]);
    let read = 0;
    const strange = new Proxy(Object.fromEntries(many(100).map((n) => [`x${n}`, 1])), {
      get: (target, name) => ((read += 1), Reflect.get(target, name)),
    });
    const unknown = await issuesOf(strange, 'bob');
    assert.deepEqual(
      unknown,
      many(20).map((n) => `/x${n}`),
    );
    assert.equal(read, 20);
  });

  it('of a value with thousands of parts the first fault alone is looked for', async () => {
    const texts = (count: number) => Array.from({ length: count }, () => 1);
    const [asText, asList, ...items] = await issuesOf({ texts: texts(1000), size: 0 }, 'bob');
    assert.deepEqual([asText, asList, items.length], ['/size', '/texts', 18]);
    assert.deepEqual(await issuesOf({ texts: texts(10_000) }, 'bob'), ['/texts', '/texts']);
  });

  it('a record that is named decides the workspace of a caller with several', async () => {
    assert.deepEqual(await place({ board_id: 'b2' }), { board_id: 'b2', workspace_id: 'w2', size: 3 });
    for (const board_id of ['b3', 'b9'])
      // of somebody else, and of nobody: one answer
      await rejects(place({ board_id }), 'NOT_FOUND', new RegExp(`board ${board_id} .*demo_list_board`));
    await rejects(place({ board_id: 'b2' }, 'new'), 'NOT_FOUND', /board b2/);
  });

  it('a missing workspace is reported with the other faults', async () => {
    assert.deepEqual(await issuesOf({}), ['/workspace_id']);
    assert.deepEqual(await issuesOf({ size: 0, shape: 1 }), ['/shape', '/size', '/workspace_id']);
    assert.deepEqual(await issuesOf({ board_id: 'a name' }), ['/board_id'], 'its id decides once it is one');
    assert.deepEqual(await issuesOf({ size: 0 }, 'new'), ['/size', '/workspace_id']);
  });

  it('a key of idempotency is that of one workspace, filled in or not', async () => {
    const once = { idempotencyKey: 'again' };
    assert.deepEqual(await place({}, 'bob', once), await place({ workspace_id: 'w3' }, 'bob', once));
    await rejects(place({ board_id: 'b3' }, 'bob', once), 'CONFLICT', /.*/);
  });

  it('a completion has no candidates for a text that no database stores, and is made without such texts chosen before', async () => {
    const complete = (value: string, room: string) =>
      host.catalog.complete({ prompt: prompt.name }, { name: 'shelf', value, others: { room } }, host.call());
    assert.deepEqual(await complete('a', 'r1'), ['r1 a']);
    for (const strange of ['\0', '\ud800']) {
      assert.deepEqual(await complete(strange, 'r1'), []);
      assert.deepEqual(await complete('a', strange), ['none a']);
    }
  });

  it('its description says when the workspace is needed', () => {
    const { workspace_id } = tool.inputSchema['properties'] as Record<string, { description: string }>;
    assert.match(workspace_id?.description ?? '', /if you have several and give no board_id$/);
    assert.deepEqual(tool.inputSchema['required'], undefined);
  });
});
