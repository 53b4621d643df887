import { Type } from 'typebox';
import { closed, defineTool, closedAs, projectPath } from '@service-mcp/core';
import { FilePath, ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

export const deleteFiles = defineTool({
  name: 'files_delete',
  title: 'Delete files',
  description: 'Deletes files of a project by path; paths that do not exist are skipped.',
  input: Type.Object(
    {
      project_id: ProjectId,
      paths: Type.Array(FilePath, { minItems: 1, maxItems: 500, description: 'Paths, 1 to 500' }),
    },
    closed,
  ),
  output: Type.Object({ removed: Type.Integer() }, closedAs('DeletedFiles')),
  effect: 'delete',
  access: { scope: 'workspaces:write', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'POST', path: '/v1/projects/:project_id/files/delete' },
  uses: { files: FileRepository },
  handler: async ({ project_id, paths }, { files }) => ({
    removed: await files.delete(project_id, paths.map(projectPath)),
  }),
});
