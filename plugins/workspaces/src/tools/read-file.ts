import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { FileContent, FilePath, ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

const Line = (description: string) => Type.Integer({ minimum: 1, maximum: 100_000_000, description });

export const readFile = defineTool({
  name: 'files_read',
  title: 'Read a file',
  description:
    'Reads a file of a project, whole or from start_line to end_line. Use it on paths that a search found.',
  input: Type.Object(
    {
      project_id: ProjectId,
      path: FilePath,
      start_line: Type.Optional(Line('First line, from 1')),
      end_line: Type.Optional(Line('Last line, inclusive')),
    },
    closed,
  ),
  output: FileContent,
  effect: 'read',
  level: 'standard',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'GET', path: '/v1/projects/:project_id/files/content' },
  text: ({ path, start_line, end_line, total_lines, content }) =>
    `${path}, lines ${start_line} to ${end_line} of ${total_lines}\n${content}`,
  uses: { files: FileRepository },
  handler: ({ project_id, path, start_line, end_line }, { files }) =>
    files.read(project_id, path, start_line, end_line),
});
