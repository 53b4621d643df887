import { closed, defineConfig } from '@service-mcp/core';
import { Type } from 'typebox';

/** The section `ndjson` of the deployment file. */
export const config = defineConfig(
  'ndjson',
  Type.Object(
    {
      path: Type.String({
        description: 'Path of the Unix socket; its folder must exist and must not hold a file of that name',
        minLength: 1,
        maxLength: 100,
        'x-env': 'NDJSON_PATH',
      }),
    },
    closed,
  ),
);
