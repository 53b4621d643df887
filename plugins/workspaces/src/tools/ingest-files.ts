import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { IncomingFile, IngestReport, MAX_BATCH_BYTES, ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

export const ingestFiles = defineTool({
  name: 'files_ingest',
  title: 'Store and index files',
  description:
    'Stores 1 to 500 files of a project; unchanged ones cost nothing. Responds when the texts are stored; indexing continues in the background (projects_index_status).',
  input: Type.Object(
    {
      project_id: ProjectId,
      files: Type.Array(IncomingFile, { minItems: 1, maxItems: 500, description: 'The files' }),
      delete_missing: Type.Boolean({
        default: false,
        description: 'Delete every file of the project that is not in this batch',
      }),
    },
    closed,
  ),
  output: IngestReport,
  effect: 'update',
  access: { scope: 'workspaces:write', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'POST', path: '/v1/projects/:project_id/files/ingest', bodyLimit: MAX_BATCH_BYTES },
  rawText: ['files'],
  uses: { files: FileRepository },
  handler: ({ project_id, files: batch, delete_missing }, { files }) =>
    files.ingest(project_id, batch, delete_missing),
});
