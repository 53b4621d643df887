import assert from 'node:assert/strict';
import { ROLES, mayUse, roleAtLeast, type Role, type ToolInfo } from '@service-mcp/core';
import { callerWith, eachDatabase } from '@service-mcp/core/testing';
import { WAYS, argumentsFor, breakGround, type Answer, type Grounds } from './grounds.js';
import { startTeam, type Person, type Team, type Tenant } from './team.js';

/** Someone who calls, and what tells what to expect. */
interface Caller {
  readonly name: string;
  readonly key: string | undefined;
  /** In the tenant that is called on; none: an outsider. */
  readonly role?: Role;
  readonly scopes: readonly string[];
  readonly administrator?: boolean;
  readonly confined?: boolean;
}

/** `allowed`: admitted, whatever the handler makes of the sample. `nothing`: admitted, and shown nothing of the tenant. */
type Expected = 'allowed' | 'nothing' | 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'NOT_FOUND';

const ALL = ['*'];

function expectedOf(tool: ToolInfo, caller: Caller, inWorkspace: boolean): Expected {
  const { access, effect } = tool;
  const holder = callerWith({
    scopes: caller.scopes,
    ...(caller.key === undefined && { kind: 'anonymous' }),
  });
  if (!mayUse(holder, access.scope))
    return caller.key === undefined ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED';
  if (access.scope === 'public') return 'nothing';
  switch (access.in) {
    case 'self':
      return caller.role === 'owner' ? 'allowed' : takesId(tool) ? 'NOT_FOUND' : 'nothing';
    case 'deployment':
      return caller.confined && effect !== 'read' ? 'PERMISSION_DENIED' : 'nothing';
    case 'administration': {
      if (inWorkspace) break;
      const wanted = effect === 'read' ? 'admin:read' : 'admin:write';
      const may = caller.administrator && !caller.confined && mayUse(holder, wanted);
      return may ? 'allowed' : 'PERMISSION_DENIED';
    }
    case 'visible':
      if (!inWorkspace) return caller.role ? 'allowed' : 'nothing';
      break;
    case 'workspace':
    default:
  }
  if (!caller.role) return 'NOT_FOUND';
  return roleAtLeast(caller.role, access.role ?? 'viewer') ? 'allowed' : 'PERMISSION_DENIED';
}

/** Does it name a thing of an account, such as a key, which is then the owner's? */
function takesId(tool: ToolInfo): boolean {
  return ((tool.inputSchema['required'] ?? []) as readonly string[]).some((name) => name.endsWith('_id'));
}

function judge(answer: Answer, expected: Expected, canary: string, isMember: boolean): void {
  assert.notEqual(answer.code, 'INTERNAL', answer.text);
  if (expected === 'allowed') {
    assert.ok(
      !['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'UNKNOWN_TOOL'].includes(answer.code),
      answer.text,
    );
    return;
  }
  if (expected !== 'nothing') assert.equal(answer.code, expected, answer.text);
  if (expected === 'nothing' && isMember) return; // lists over all that one may see show one's own
  assert.ok(!answer.text.includes(canary), `shows what is the other tenant's: ${answer.text}`);
}

describe('tenant grid: every tool and route, every role, two tenants', function () {
  this.timeout(120_000);
  eachDatabase((fresh) => {
    let team: Team;
    let tenant: Tenant;
    let tools: readonly ToolInfo[];
    let callers: readonly Caller[];
    let shared: Grounds;

    before(async () => {
      team = await startTeam(await fresh());
      tenant = await team.tenant('acme');
      const other = await team.tenant('bolt');
      tools = team.host.registry.allowed.map(({ info }) => info);
      callers = await everyone(other);
      shared = await breakGround(team, tenant);
    });
    after(() => team.stop());

    async function everyone(other: Tenant): Promise<Caller[]> {
      const { owner } = tenant.people;
      const root = await team.person('root');
      await team.host.catalog.call(
        'auth_set_administrator',
        { email: root.email, administrator: true },
        team.host.call(),
      );
      // Owner there and here, by a key that is confined to there.
      const both = other.people.owner;
      const confined = await team.key(both, { workspace_id: other.workspaceId, name: 'confined' });
      const keyOf = async (person: Person, scopes: string[]) =>
        (await team.key(person, { scopes })).secret_key;
      return [
        ...ROLES.map((role): Caller => ({ name: role, key: tenant.people[role].key, role, scopes: ALL })),
        ...ROLES.map((role): Caller => ({
          name: `${role} of the other tenant`,
          key: other.people[role].key,
          scopes: ALL,
        })),
        { name: 'a key confined to the other tenant', key: confined.secret_key, scopes: ALL, confined: true },
        { name: 'an administrator', key: root.key, scopes: ALL, administrator: true },
        {
          name: 'a key that only reads',
          key: await keyOf(owner, ['mcp:read']),
          role: 'owner',
          scopes: ['mcp:read'],
        },
        {
          name: 'a key of another domain',
          key: await keyOf(owner, ['metrics:read']),
          role: 'owner',
          scopes: ['metrics:read'],
        },
        { name: 'nobody', key: undefined, scopes: [] },
      ];
    }

    /** Grounds that a permitted call may change: everyone else finds the shared ones as they were. */
    async function groundsFor(tool: ToolInfo, expected: Expected): Promise<Grounds> {
      return expected === 'allowed' && tool.effect !== 'read' ? breakGround(team, tenant) : shared;
    }

    async function walk(way: keyof typeof WAYS, tool: ToolInfo, inWorkspace: boolean): Promise<void> {
      for (const caller of callers) {
        const expected =
          way !== 'rest' && caller.key === undefined
            ? 'UNAUTHENTICATED'
            : expectedOf(tool, caller, inWorkspace);
        const grounds = await groundsFor(tool, expected);
        const answer = await WAYS[way](team.url, tool, argumentsFor(tool, grounds, inWorkspace), caller.key);
        try {
          judge(answer, expected, grounds.canary, caller.role !== undefined);
        } catch (error) {
          throw new Error(`${tool.name} by ${caller.name}${inWorkspace ? ' in the workspace' : ''}`, {
            cause: error,
          });
        }
      }
    }

    for (const way of ['rest', 'rpc', 'mcp', 'meta'] as const) {
      it(`by ${way}`, async () => {
        const reached = tools.filter((tool) =>
          way === 'meta'
            ? tool.surfaces.includes('mcp') && tool.level !== 'optional'
            : tool.surfaces.includes(way) && (way !== 'rest' || tool.http),
        );
        assert.ok(reached.length > 20, 'the registry is filled');
        for (const tool of reached) {
          await walk(way, tool, false);
          const { workspace_id } = tool.inputSchema['properties'] as { workspace_id?: object };
          const isOptional = tool.access.in === 'visible' || tool.access.in === 'administration';
          if (workspace_id && isOptional) await walk(way, tool, true);
        }
      });
    }

    it('what is for this process alone does not exist over HTTP', async () => {
      const inside = tools.filter((tool) => tool.surfaces.every((surface) => surface === 'cli'));
      assert.ok(inside.length > 0);
      const [{ key }] = callers as [Caller];
      for (const tool of inside) {
        for (const way of ['rpc', 'mcp'] as const) {
          const { code } = await WAYS[way](team.url, tool, {}, key);
          assert.equal(code, 'UNKNOWN_TOOL', `${tool.name} by ${way}`);
        }
        assert.equal(tool.http, undefined, tool.name);
      }
    });
  });
});
