import { RegistryView, defineResource, type ChangeEvent } from '@service-mcp/core';
import { FileRepository } from '../services/file-repository.js';
import { excerptOf } from './excerpt.js';
import { mediaTypeOf } from './media-types.js';
import { ofProject } from './project.js';

const READ = 'files_read';
const MAX_CANDIDATES = 100;

const ofFile = (event: ChangeEvent) => ({ ...ofProject(event), path: String(event.data['path']) });

export const fileResource = defineResource({
  uriTemplate: 'service://projects/{project_id}/files/{+path}',
  name: 'file',
  title: 'A file of a project',
  description:
    'The text of a file, by the id of its project and its path. A long one is cut, and says where.',
  mimeType: 'text/plain',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  uses: { files: FileRepository, registry: RegistryView },
  changedBy: {
    'file.indexed': ofFile,
    'file.failed': ofFile,
    'file.removed': ofFile,
    'project.deleted': ofProject,
  },
  async read({ project_id, path }, { files, registry }) {
    const file = await files.read(project_id, path);
    const readOn = registry.allowed.some(({ info }) => info.name === READ) ? READ : undefined;
    const address = path.split('/').map(encodeURIComponent).join('/');
    return [
      {
        uri: `service://projects/${project_id}/files/${address}`,
        mimeType: mediaTypeOf(file.language),
        text: excerptOf(file.content, file.total_lines, readOn),
      },
    ];
  },
  complete: (_path, value, { files }, _call, { project_id }) =>
    files.pathsStartingWith(value, MAX_CANDIDATES, project_id),
});
