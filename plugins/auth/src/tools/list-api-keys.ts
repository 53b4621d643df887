import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { ApiKeyPage } from '../schemas.js';
import { ApiKeys } from '../services/api-keys.js';

export const listApiKeys = defineTool({
  name: 'auth_list_api_keys',
  title: 'List API keys',
  description:
    'Lists your API keys, newest first, with scopes, last use and revocation; never the key itself.',
  input: Type.Object({ ...paging }, closed),
  output: ApiKeyPage,
  effect: 'read',
  access: { scope: 'auth:read', in: 'self' },
  http: { method: 'GET', path: '/v1/auth/api-keys' },
  uses: { apiKeys: ApiKeys },
  handler: (input, { apiKeys }, { caller }) => apiKeys.list(caller, input),
});
