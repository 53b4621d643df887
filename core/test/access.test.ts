import assert from 'node:assert/strict';
import { Type } from 'typebox';
import {
  ANONYMOUS,
  AuditTrail,
  Memberships,
  ResourceOwners,
  closed,
  contribute,
  holdsScope,
  mayUse,
  provide,
  type Access,
  type AdmittedCall,
  type AuditEntry,
  type Remark,
  type Role,
  type Tool,
} from '@service-mcp/core';
import { callerWith, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const roles = new Map<string, Role>([
  ['ann', 'admin'],
  ['vic', 'viewer'],
]);
const memberships = provide(Memberships, {
  uses: {},
  create: () => {
    const of = (userId: string, workspaceId?: string) => {
      const role = roles.get(userId);
      return new Map(role && (workspaceId ?? 'w1') === 'w1' ? [['w1', role]] : []);
    };
    return {
      of: (caller) => Promise.resolve(of(caller.userId, caller.workspaceId)),
      roleIn: (caller, id) => Promise.resolve(of(caller.userId, caller.workspaceId).get(id)),
      named: () => Promise.resolve([]),
      join: () => Promise.resolve(true),
    };
  },
});
/** `d…` is the deployment's, `w…` is of workspace w1. */
const tickets = contribute(ResourceOwners, {
  uses: {},
  create: () => ({
    resource: 'ticket',
    listedBy: 'demo_list',
    workspaceOf: (id) => Promise.resolve(id.startsWith('d') ? null : id.startsWith('w') ? 'w1' : undefined),
  }),
});
const audited: AuditEntry[] = [];
const audit = provide(AuditTrail, {
  uses: {},
  create: () => ({
    record: (entry) => {
      audited.push(entry);
      return Promise.resolve();
    },
  }),
});

const input = {
  type: 'object',
  properties: {
    workspace_id: { type: 'string', description: 'Workspace' },
    ticket_id: { type: 'string', description: 'Ticket' },
    user_id: { type: 'string', description: 'User' },
  },
  additionalProperties: false,
};
const tool = (name: string, effect: Tool['effect'], access: Partial<Access> & Pick<Access, 'in'>) =>
  echo({
    name: `demo_${name}`,
    effect,
    inputSchema: input,
    access: { scope: 'demo:write', role: 'admin', ...access },
    handler: () => Promise.resolve({ text: 'done' }),
    outputSchema: Type.Object({ text: Type.String() }, closed) as unknown as Tool['outputSchema'],
  });
const ticket = { resource: 'ticket', id: 'ticket_id' } as const;
const tools = [
  tool('invite', 'create', { in: 'administration' }),
  tool('log', 'read', { in: 'administration' }),
  tool('list', 'read', { in: 'workspace', role: 'viewer' }),
  tool('own', 'update', { in: 'self' }),
  tool('found', 'create', { in: 'deployment' }),
  tool('drop', 'delete', { in: ticket }),
  tool('leave', 'delete', { in: ticket, unlessSelf: 'user_id' }),
  tool('open', 'read', { in: 'self', scope: 'public' }),
  tool('any', 'read', { in: 'self', scope: 'authenticated' }),
  {
    ...tool('login', 'update', { in: 'self', scope: 'public' }),
    handler: (_input: unknown, _deps: unknown, call: AdmittedCall) => {
      call.remark?.({ caller: callerWith({ userId: 'ann' }), replayed: true });
      return Promise.resolve({ text: 'done' });
    },
  },
];

describe('access to tools', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [demo(tools, { services: [memberships, tickets, audit] })] });
  });
  after(() => host.stop());

  const ann = callerWith({ userId: 'ann' });
  const vic = callerWith({ userId: 'vic' });
  const root = callerWith({ userId: 'root', administrator: true });
  const call = (name: string, caller = ann, args: object = {}) =>
    host.use(`demo_${name}`, { ...args }, { caller, surface: 'rest' });
  const denied = { code: 'PERMISSION_DENIED' };
  const missing = { code: 'NOT_FOUND' };

  it('administration is for administrators, or for admins of the workspace that is named', async () => {
    await call('invite', root);
    await call('invite', ann, { workspace_id: 'w1' });
    await assert.rejects(call('invite', ann), denied);
    await assert.rejects(call('invite', vic, { workspace_id: 'w1' }), denied);
    await assert.rejects(call('invite', root, { workspace_id: 'w1' }), missing); // no member
    await assert.rejects(call('invite', ann, { workspace_id: 'w2' }), missing);
  });

  it('an administrator’s credential needs the scope of administration, which no bundle holds', async () => {
    const bundled = { ...root, scopes: ['mcp:read', 'mcp:write'] };
    await assert.rejects(call('invite', bundled), {
      ...denied,
      message: /admin:write\. Use a credential that has it, or name a workspace_id/,
      details: { scope: 'admin:write' },
    });
    await call('log', { ...root, scopes: ['mcp:write', 'admin:read'] });
    await assert.rejects(call('invite', { ...root, scopes: ['demo:write', 'admin:read'] }), denied);
  });

  it('a confined credential reaches neither the deployment nor another workspace', async () => {
    const confined = { ...root, workspaceId: 'w1' };
    await assert.rejects(call('invite', confined), { ...denied, message: /workspace_id w1, or use one/ });
    await assert.rejects(call('found', confined), { ...denied, message: /workspace\. Use one that is not/ });
    await assert.rejects(call('drop', confined, { ticket_id: 'd1' }), missing);
    await call('own', confined);
    const former = { ...ann, workspaceId: 'w9' };
    await assert.rejects(call('drop', former, { ticket_id: 'w1' }), missing);
    await assert.rejects(call('list', former), { ...denied, message: /that you left\. Use another one/ });
    await assert.rejects(call('list', root), { code: 'INVALID_ARGUMENT', message: /no workspace yet/ });
  });

  it('resources of the deployment are visible to administrators alone', async () => {
    await call('drop', root, { ticket_id: 'd1' });
    await assert.rejects(call('drop', ann, { ticket_id: 'd1' }), missing);
    await call('drop', ann, { ticket_id: 'w1' });
    await assert.rejects(call('drop', vic, { ticket_id: 'w1' }), denied);
    await assert.rejects(call('drop', root, { ticket_id: 'x' }), missing);
  });

  it('members may do to themselves what otherwise takes an admin', async () => {
    await call('leave', vic, { ticket_id: 'w1', user_id: 'vic' });
    await assert.rejects(call('leave', vic, { ticket_id: 'w1', user_id: 'ann' }), denied);
    await assert.rejects(call('leave', root, { ticket_id: 'w1', user_id: 'root' }), missing);
  });

  it('without a credential only public tools can be called', async () => {
    await call('open', ANONYMOUS);
    for (const name of ['any', 'own', 'invite'])
      await assert.rejects(call(name, ANONYMOUS), { code: 'UNAUTHENTICATED' });
    await call('any', callerWith({ scopes: [] }));
    await assert.rejects(call('own', callerWith({ scopes: ['demo:read'] })), {
      ...denied,
      details: { scope: 'demo:write' },
    });
  });

  it('bundles hold the scopes of domains, by verb', () => {
    const holder = (scopes: string[]) => callerWith({ scopes });
    assert.ok(holdsScope(holder(['mcp:read']), 'search:read'));
    assert.ok(!holdsScope(holder(['mcp:read']), 'memory:write'));
    assert.ok(!holdsScope(holder(['mcp:read', 'mcp:write']), 'admin:read'));
    assert.ok(!holdsScope(holder(['mcp:read', 'mcp:write']), 'metrics:read'));
    assert.ok(holdsScope(holder(['*']), 'admin:write'));
    assert.ok(!mayUse(ANONYMOUS, 'authenticated') && mayUse(ANONYMOUS, 'public'));
  });

  it('audits a call without a credential under the user that its handler identified', async () => {
    audited.length = 0;
    const told: Remark[] = [];
    const remark = (remarked: Remark) => void (remarked.rate ?? told.push(remarked));
    await host.use('demo_login', {}, { caller: ANONYMOUS, surface: 'rest', remark });
    await host.use('demo_login', {}, { caller: ANONYMOUS, surface: 'rest' });
    await host.use('demo_login', {}, { caller: vic, surface: 'rest', remark });
    assert.deepEqual(
      audited.map(({ caller }) => caller.userId),
      ['ann', 'ann', 'vic'],
    );
    assert.deepEqual(told[0], { replayed: true }, 'the rest goes on to the transport, who it is does not');
  });

  it('keeps writes and denials for the audit log, with the ids of the call and no other argument', async () => {
    audited.length = 0;
    await call('drop', ann, { ticket_id: 'w1' });
    await call('any', ann);
    await assert.rejects(call('drop', vic, { ticket_id: 'w1' }));
    await assert.rejects(call('any', ANONYMOUS));
    const kept = audited.map(({ action, outcome, workspaceId, caller, target }) => [
      action,
      outcome,
      workspaceId,
      caller.userId,
      target,
    ]);
    assert.deepEqual(kept, [
      ['demo_drop', 'OK', 'w1', 'ann', 'ticket_id=w1'],
      ['demo_drop', 'PERMISSION_DENIED', 'w1', 'vic', 'ticket_id=w1'],
      ['unknown', 'UNAUTHENTICATED', undefined, '', undefined],
    ]);
  });
});
