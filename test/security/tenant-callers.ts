import { ROLES, mayUse, roleAtLeast, type Caller, type Role, type ToolInfo } from '@service-mcp/core';
import type { Person, Team, Tenant } from './start-team.js';

/** A caller of the grid, and the facts that decide the expected outcome. */
export interface GridCaller {
  readonly name: string;
  /** The API key; undefined for nobody. */
  readonly key: string | undefined;
  /** The caller that the key stands for. */
  readonly caller: Caller;
  /** The role in the tenant that is called on; undefined for an outsider. */
  readonly role?: Role;
}

/**
 * `allowed`: admitted, whatever the handler makes of the sample. `nothing`: admitted, and shown nothing of the tenant.
 * Otherwise the code of the refusal.
 */
export type Expected = 'allowed' | 'nothing' | 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'NOT_FOUND';

/** Every role in the tenant and in the other one, confined and narrow keys, an administrator, nobody. */
export async function gridCallers(team: Team, tenant: Tenant, other: Tenant): Promise<GridCaller[]> {
  const { owner } = tenant.people;
  const root = await team.person('root');
  const administrator = { email: root.email, administrator: true };
  await team.host.catalog.call('auth_set_administrator', administrator, team.host.call());
  const keyOf = async (person: Person, wanted: object) => (await team.key(person, wanted)).secret_key;
  const callers: Omit<GridCaller, 'caller'>[] = [
    ...ROLES.map((role) => ({ name: role, key: tenant.people[role].key, role })),
    ...ROLES.map((role) => ({ name: `${role} of the other tenant`, key: other.people[role].key })),
    {
      name: 'a key confined to the other tenant',
      key: await keyOf(other.people.owner, { workspace_id: other.workspaceId }),
    },
    { name: 'an administrator', key: root.key },
    { name: 'a key that only reads', key: await keyOf(owner, { scopes: ['mcp:read'] }), role: 'owner' },
    {
      name: 'a key of another domain',
      key: await keyOf(owner, { scopes: ['metrics:read'] }),
      role: 'owner',
    },
    { name: 'nobody', key: undefined },
  ];
  return Promise.all(callers.map(async (one) => ({ ...one, caller: await team.authenticate(one.key) })));
}

/** The outcome by the declared access of the tool alone. */
export function expectedOf(tool: ToolInfo, { caller, role }: GridCaller, inWorkspace: boolean): Expected {
  const { access, effect } = tool;
  if (!mayUse(caller, access.scope))
    return caller.kind === 'anonymous' ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED';
  if (access.scope === 'public') return 'nothing';
  const isConfined = caller.workspaceId !== undefined;
  switch (access.in) {
    case 'self':
      return role === 'owner' ? 'allowed' : takesId(tool) ? 'NOT_FOUND' : 'nothing';
    case 'deployment':
      return isConfined && effect !== 'read' ? 'PERMISSION_DENIED' : 'nothing';
    case 'administration': {
      if (inWorkspace) break;
      const wanted = effect === 'read' ? 'admin:read' : 'admin:write';
      return caller.administrator && !isConfined && mayUse(caller, wanted) ? 'allowed' : 'PERMISSION_DENIED';
    }
    case 'visible':
      if (!inWorkspace) return role ? 'allowed' : 'nothing';
      break;
    case 'workspace':
    default:
  }
  if (!role) return 'NOT_FOUND';
  return roleAtLeast(role, access.role ?? 'viewer') ? 'allowed' : 'PERMISSION_DENIED';
}

/** The role that a caller lacks for a tool, where that alone is why the call is refused. */
export function lackedRole(tool: ToolInfo, caller: GridCaller, inWorkspace: boolean): Role | undefined {
  if (!caller.role || expectedOf(tool, caller, inWorkspace) !== 'PERMISSION_DENIED') return undefined;
  const asOwner = expectedOf(tool, { ...caller, role: 'owner' }, inWorkspace);
  return asOwner === 'allowed' ? tool.access.role : undefined;
}

/** True where the tool names a record of an account, such as a key, which then is the owner's. */
function takesId(tool: ToolInfo): boolean {
  return ((tool.inputSchema['required'] ?? []) as readonly string[]).some((name) => name.endsWith('_id'));
}
