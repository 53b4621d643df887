import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { ApiKeyId, Revoked } from '../schemas.js';
import { ApiKeys } from '../services/api-keys.js';

export const revokeApiKey = defineTool({
  name: 'auth_revoke_api_key',
  title: 'Revoke an API key',
  description:
    'Revokes one of your API keys and every key created with it, from the next request on. This cannot be undone.',
  input: Type.Object({ key_id: ApiKeyId }, closed),
  output: Revoked,
  effect: 'delete',
  access: { scope: 'auth:write', in: 'self' },
  http: { method: 'DELETE', path: '/v1/auth/api-keys/:key_id' },
  uses: { apiKeys: ApiKeys },
  async handler({ key_id }, { apiKeys }, { caller }) {
    await apiKeys.revoke(caller, key_id);
    return { id: key_id, revoked: true as const };
  },
});
