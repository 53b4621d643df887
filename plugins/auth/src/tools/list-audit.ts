import { Type } from 'typebox';
import { ERRORS, Id, closed, TimeOrDay, defineTool, paging } from '@service-mcp/core';
import { AuditPage, WorkspaceId } from '../schemas.js';
import { AuditLog } from '../services/audit-trail.js';

export const listAudit = defineTool({
  name: 'auth_list_audit',
  title: 'Read the audit log',
  description:
    'Lists changes and denied calls with their callers, newest first: of one workspace for its admins, of the whole deployment for administrators.',
  input: Type.Object(
    {
      workspace_id: Type.Optional(WorkspaceId),
      user_id: Type.Optional(Id('User', 'members_list')),
      action: Type.Optional(Type.String({ maxLength: 100, description: 'Name of the called tool' })),
      outcome: Type.Optional(
        Type.Enum(['OK', ...Object.keys(ERRORS)], { description: 'OK, or the code of the error' }),
      ),
      since: Type.Optional(TimeOrDay('Entries from this time on')),
      until: Type.Optional(TimeOrDay('Entries before this time', 'next')),
      ...paging,
    },
    closed,
  ),
  output: AuditPage,
  effect: 'read',
  access: { scope: 'auth:read', role: 'admin', in: 'administration' },
  http: { method: 'GET', path: '/v1/auth/audit' },
  surfaces: ['rest', 'rpc'],
  uses: { log: AuditLog },
  handler: (input, { log }) => log.list(input),
});
