import { Directory, definePlugin, provide, type Caller, type Role } from '@service-mcp/core';
import { completeResult } from '@service-mcp/core/wire';
import { callerWith, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

export interface Member {
  id: string;
  workspace_id: string;
  user_id: string | null;
  email: string;
  name: string;
  role: Role;
  status: 'pending' | 'accepted';
  created_at: string;
}
export interface Invited {
  id: string;
  workspace: { id: string; name: string };
  role: Role;
  invited_by: string;
  created_at: string;
}

const NAMES = ['ann', 'bob', 'cid', 'dot'] as const;
export type Name = (typeof NAMES)[number];
export const people = Object.fromEntries(NAMES.map((name) => [name, callerWith({ name })])) as Record<
  Name,
  Caller
>;
const accounts = NAMES.map((name) => ({ id: people[name].userId, email: `${name}@example.org`, name }));

/** Four people with accounts. */
const directory = definePlugin({
  id: 'directory',
  description: 'Knows four people.',
  api: '^1',
  services: [
    provide(Directory, {
      uses: {},
      create: () => ({
        byIds: async (ids) =>
          new Map(
            accounts.filter(({ id }) => ids.includes(id)).map((one) => [one.id, { ...one, disabled: false }]),
          ),
        byEmail: async (email) => accounts.find((one) => one.email === email.toLowerCase()),
      }),
    }),
  ],
});

/** Two services on one database, which four people use, for the tests of a suite. */
export function memberSuite(fresh: () => Promise<TestDatabase>) {
  let host: TestHost;
  let second: TestHost;
  before(async () => {
    const database = await fresh();
    const options = { plugins: [directory, workspaces], database, workers: false };
    host = await testHost(options);
    second = await testHost(options);
  });
  after(async () => {
    await second.stop();
    await host.stop();
  });

  const as = <T>(who: Name, tool: string, args: object, on = host) =>
    on.use<T>(tool, args, { caller: people[who] });
  /** What a model reads of the result. */
  async function textOf(who: Name, tool: string, args: object): Promise<string> {
    const answer = await host.catalog.call(tool, args, host.call({ caller: people[who] }));
    const [block] = completeResult(answer).content;
    return block?.type === 'text' ? block.text : '';
  }
  const role = (who: Name, workspace_id: string, by: Name, to: Role, on = host) =>
    as<Member>(by, 'members_update', { workspace_id, user_id: people[who].userId, role: to }, on);
  const remove = (who: Name, workspace_id: string, by: Name, on = host) =>
    as<{ id: string }>(by, 'members_remove', { workspace_id, user_id: people[who].userId }, on);
  const list = async (workspace_id: string, by: Name) =>
    (await as<{ items: Member[] }>(by, 'members_list', { workspace_id })).items;

  const invite = (workspace_id: string, email: string, to: Role, by: Name = 'ann') =>
    as<Member>(by, 'members_add', { workspace_id, email, role: to });
  const accept = (who: Name, { id: membership_id }: { id: string }, on = host) =>
    as<Member>(who, 'members_accept', { membership_id }, on);
  const invitations = async (who: Name) =>
    (await as<{ items: Invited[] }>(who, 'members_list_invitations', {})).items;

  /** A workspace of ann's, with others who joined it. */
  async function workspace(others: Partial<Record<Name, Role>> = {}): Promise<string> {
    const { id } = await as<{ id: string }>('ann', 'workspaces_create', { name: 'team' });
    for (const [name, given] of Object.entries(others) as Array<[Name, Role]>)
      await accept(name, await invite(id, `${name}@example.org`, given));
    return id;
  }

  return {
    as,
    textOf,
    role,
    remove,
    list,
    invite,
    accept,
    invitations,
    workspace,
    first: () => host,
    second: () => second,
  };
}
