import { Type } from 'typebox';
import { closed, defineTool, invalidArgument, projectPath } from '@service-mcp/core';
import { FileContent, FilePath, ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

const Place = (description: string) => Type.Integer({ minimum: 1, maximum: 100_000_000, description });

export const readFile = defineTool({
  name: 'files_read',
  title: 'Read a file',
  description: 'Reads a file, whole or in part. Use it on paths of results.',
  input: Type.Object(
    {
      project_id: ProjectId,
      path: FilePath,
      start_line: Type.Optional(Place('First line')),
      start_column: Type.Optional(Place('Where in it')),
      end_line: Type.Optional(Place('Last line')),
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
  handler: async ({ project_id, path, start_line, start_column = 1, end_line }, { files }) => {
    const lines = await files.read(project_id, projectPath(path), start_line, end_line);
    const lineBreak = lines.content.indexOf('\n');
    const length = lineBreak === -1 ? lines.content.length : lineBreak;
    if (start_column > length + 1)
      throw invalidArgument('/start_column', `the line has ${length} characters`);
    return { ...lines, content: lines.content.slice(start_column - 1) };
  },
});
