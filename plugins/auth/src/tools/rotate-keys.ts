import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { SigningKeys } from '../oauth/signing-keys.js';

export const rotateKeys = defineTool({
  name: 'auth_rotate_keys',
  title: 'Rotate signing keys',
  description:
    'Creates new signing and cookie keys for the OAuth server. They are published at once and sign after two minutes; old keys are deleted when everything signed by them has expired. Nobody is logged out, and no restart is needed.',
  input: Type.Object({}, closed),
  output: Type.Object({ generation: Type.Integer({ description: 'Number of the new generation' }) }, closed),
  effect: 'update',
  access: { scope: 'admin:write', in: 'administration' },
  surfaces: ['cli'],
  uses: { keys: SigningKeys },
  handler: async (_input, { keys }) => ({ generation: await keys.rotate() }),
});
