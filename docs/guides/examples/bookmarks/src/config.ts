import { closed, defineConfig } from '@service-mcp/core';
import { Type } from 'typebox';

/** The section `bookmarks` of the deployment file. */
export const config = defineConfig(
  'bookmarks',
  Type.Object(
    {
      stale_after_seconds: Type.Integer({
        description: 'A bookmark that is unread for so long is stale',
        default: 30 * 24 * 60 * 60,
        minimum: 1,
        maximum: 10 * 365 * 24 * 60 * 60,
        'x-env': 'BOOKMARKS_STALE_AFTER_SECONDS',
      }),
    },
    closed,
  ),
);
