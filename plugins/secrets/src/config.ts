import { closed, defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const schema = Type.Object(
  {
    policy: Type.Enum(['redact', 'refuse', 'keep'], {
      default: 'redact',
      description:
        'What happens to secrets in what is stored: taken out, refused with INVALID_ARGUMENT, or kept without a look.',
      'x-env': 'SECRETS_POLICY',
    }),
  },
  closed,
);

export const config = defineConfig('secrets', schema);

export type Policy = Static<typeof schema>['policy'];
