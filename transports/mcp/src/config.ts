import { Type } from 'typebox';
import { defineConfig } from '@service-mcp/core';

/** The section `mcp` of the deployment file. */
export const McpConfig = defineConfig(
  'mcp',
  Type.Object(
    {
      session_idle_minutes: Type.Integer({
        minimum: 1,
        maximum: 10_080,
        default: 60,
        description: 'After how many minutes without a request the session of a client ends.',
        'x-env': 'MCP_SESSION_IDLE_MINUTES',
      }),
      session_limit: Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 10_000,
        description:
          'How many sessions are kept; beyond it the one that was idle longest ends, of whoever has the most.',
        'x-env': 'MCP_SESSION_LIMIT',
      }),
    },
    { additionalProperties: false },
  ),
);
