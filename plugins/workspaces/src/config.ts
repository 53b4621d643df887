import { Type } from 'typebox';
import { closed, defineConfig } from '@service-mcp/core';

export const config = defineConfig(
  'workspaces',
  Type.Object(
    {
      max_file_bytes: Type.Integer({
        description: 'Largest file that is kept, in bytes of UTF-8',
        default: 1024 * 1024,
        minimum: 1,
        maximum: 16 * 1024 * 1024,
        'x-env': 'SERVICE_MAX_FILE_BYTES',
      }),
    },
    closed,
  ),
);
