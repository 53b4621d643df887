import { Type } from 'typebox';
import { closed, defineTool, pageText, paging, plural } from '@service-mcp/core';
import { FileFilter, FilePage, ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

export const listFiles = defineTool({
  name: 'files_list',
  title: 'List files',
  description: 'Lists the files of a project by path, with language, size, hash and index state.',
  input: Type.Object({ project_id: ProjectId, ...FileFilter.properties, ...paging }, closed),
  output: FilePage,
  effect: 'read',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'GET', path: '/v1/projects/:project_id/files' },
  text: ({ folders = [], ...output }) =>
    folders
      .map(({ path, files, failed }) => `${path}: ${plural(files, 'file')}, ${failed} failed\n`)
      .join('') +
    pageText(output, ({ path, language, lines, bytes, indexing_status: status, error }) =>
      [
        `${path}: ${language === null ? '' : `${language}, `}${plural(lines, 'line')}, ${plural(bytes, 'byte')}`,
        ...(status === 'indexed' ? [] : [status]),
        ...(error === null ? [] : [error]),
      ].join(', '),
    ),
  uses: { files: FileRepository },
  handler: ({ project_id, page, per_page, ...filter }, { files }) =>
    files.list(project_id, filter, { page, per_page }),
});
