import { closed, defineConfig } from '@service-mcp/core';
import { Type } from 'typebox';

/** The section `tickets` of the deployment file. */
export const config = defineConfig(
  'tickets',
  Type.Object(
    {
      stale_after_seconds: Type.Integer({
        description: 'An open ticket that nobody changed for so long is stale',
        default: 14 * 24 * 60 * 60,
        minimum: 1,
        maximum: 10 * 365 * 24 * 60 * 60,
        'x-env': 'TICKETS_STALE_AFTER_SECONDS',
      }),
    },
    closed,
  ),
);
