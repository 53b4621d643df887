import { Type } from 'typebox';
import { closed, defineTool, closedAs, projectPath } from '@service-mcp/core';
import { FilePath, ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

export const retryIndex = defineTool({
  name: 'projects_retry_index',
  title: 'Retry failed files',
  description:
    'Tries to index the failed files of a project again. files_list with indexing_status failed lists them, each with its error.',
  input: Type.Object(
    {
      project_id: ProjectId,
      paths: Type.Optional(
        Type.Array(FilePath, {
          minItems: 1,
          maxItems: 500,
          description: 'Only these. Default: all that failed',
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ queued: Type.Integer() }, closedAs('QueuedFiles')),
  effect: 'update',
  idempotent: true,
  access: { scope: 'workspaces:write', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'POST', path: '/v1/projects/:project_id/index/retry' },
  uses: { files: FileRepository },
  handler: async ({ project_id, paths }, { files }) => ({
    queued: await files.retry(project_id, paths?.map(projectPath)),
  }),
});
