import type { Caller, Role } from '../caller.js';
import { Memberships } from '../services.js';
import { provide, type Provider } from '../token.js';

/** Memberships out of a map, for tests without the workspaces plugin: a user's id or name, and their workspaces. */
export function membershipsIn(members: ReadonlyMap<string, ReadonlySet<string>>): Provider {
  const rolesOf = ({ userId, name }: Caller): ReadonlyMap<string, Role> =>
    new Map([...(members.get(userId) ?? members.get(name) ?? [])].map((id) => [id, 'member']));
  return provide(Memberships, {
    uses: {},
    create: () => ({
      of: (caller) => Promise.resolve(rolesOf(caller)),
      roleIn: (caller, id) => Promise.resolve(rolesOf(caller).get(id)),
      named: () => Promise.resolve([]),
      join: () => Promise.resolve(true),
    }),
  });
}
