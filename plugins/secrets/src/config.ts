import { closed, defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const policy = (description: string, env: string) =>
  Type.Enum(['redact', 'refuse', 'keep'], { default: 'redact', description, 'x-env': env });

const schema = Type.Object(
  {
    policy: policy(
      'What happens to secrets in memory and in names and descriptions: taken out, refused with INVALID_ARGUMENT, or kept. Keys of this service are never kept.',
      'SECRETS_POLICY',
    ),
    file_policy: policy(
      'The same for the texts of files; a refused file is rejected by name.',
      'SECRETS_FILE_POLICY',
    ),
    file_rules: Type.Enum(['exact', 'all'], {
      default: 'exact',
      description:
        'What counts as a secret in a file: what its form gives away (exact), or also values of settings named like a secret and passwords in URLs, which are often code or examples (all).',
      'x-env': 'SECRETS_FILE_RULES',
    }),
  },
  closed,
);

export const config = defineConfig('secrets', schema);

export type Settings = Static<typeof schema>;
