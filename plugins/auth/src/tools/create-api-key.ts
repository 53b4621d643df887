import { Type } from 'typebox';
import { TimeOrDay, closed, defineTool } from '@service-mcp/core';
import { NewApiKey, WorkspaceId } from '../schemas.js';
import { ApiKeys } from '../services/api-keys.js';

export const createApiKey = defineTool({
  name: 'auth_create_api_key',
  title: 'Create an API key',
  description:
    'Creates an API key and shows it once. Its permissions are limited to those of your credential; if that is an API key, revoking or expiring it ends the new key too.',
  input: Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'Purpose of the key: use one key per machine or service',
      }),
      scopes: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), {
          minItems: 1,
          maxItems: 100,
          description:
            'Permissions: read or write of a domain (search:read), mcp:read, mcp:write, or * for everything; default: mcp:read and mcp:write',
        }),
      ),
      workspace_id: Type.Optional(WorkspaceId),
      expires_at: Type.Optional(TimeOrDay('Expiry of the key; default: never')),
    },
    closed,
  ),
  output: NewApiKey,
  effect: 'create',
  access: { scope: 'auth:write', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/api-keys' },
  surfaces: ['rest', 'rpc', 'cli'], // not on MCP: the result contains the key
  secretResult: true,
  uses: { apiKeys: ApiKeys },
  handler: (input, { apiKeys }, { caller }) => apiKeys.create(caller, input),
});
