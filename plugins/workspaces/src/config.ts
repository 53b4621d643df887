import { Type } from 'typebox';
import { closed, defineConfig } from '@service-mcp/core';

const quota = (what: string, env: string) =>
  Type.Integer({
    description: `${what} that one workspace may hold; 0 means no limit`,
    default: 0,
    minimum: 0,
    'x-env': env,
  });

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
      quota_files: quota('Files', 'SERVICE_QUOTA_FILES'),
      quota_bytes: quota('Bytes of text in files', 'SERVICE_QUOTA_BYTES'),
      quota_events: quota('Memory events', 'SERVICE_QUOTA_EVENTS'),
      quota_nodes: quota('Knowledge nodes', 'SERVICE_QUOTA_NODES'),
    },
    closed,
  ),
);
