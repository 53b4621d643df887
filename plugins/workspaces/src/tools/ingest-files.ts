import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { ProjectId } from '../schemas.js';
import { FileRepository } from '../services/file-repository.js';

const BODY_LIMIT = 16 * 1024 * 1024;

export const ingestFiles = defineTool({
  name: 'files_ingest',
  title: 'Store and index files',
  description:
    'Stores 1 to 500 files of a project; unchanged ones cost nothing. Answers when the text is durable: indexing goes on behind (projects_index_status).',
  input: Type.Object(
    {
      project_id: ProjectId,
      files: Type.Array(
        Type.Object(
          {
            // Far above the storage limit: a path or text that is too long is rejected by name, and the rest goes on.
            path: Type.String({ maxLength: 65_536, description: 'Relative path, separated by /' }),
            content: Type.String({ maxLength: BODY_LIMIT, description: 'The whole text' }),
            language: Type.Optional(
              Type.String({
                maxLength: 40,
                pattern: '^[\\w+#.-]+$',
                description: 'Language, where the path does not tell',
              }),
            ),
            modified_at: Type.Optional(
              Type.String({ format: 'date-time', description: 'When the file last changed' }),
            ),
            commit_sha: Type.Optional(
              Type.String({ pattern: '^[0-9a-f]{7,64}$', description: 'Commit it was read at' }),
            ),
          },
          closed,
        ),
        { minItems: 1, maxItems: 500, description: 'The files' },
      ),
      delete_missing: Type.Boolean({
        default: false,
        description: 'Delete every file of the project that is not in this batch',
      }),
    },
    closed,
  ),
  output: Type.Object(
    {
      received: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      removed: Type.Integer(),
      rejected: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }, closed)),
    },
    closed,
  ),
  effect: 'update',
  access: { scope: 'workspaces:write', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'POST', path: '/v1/projects/:project_id/files/ingest', bodyLimit: BODY_LIMIT },
  rawText: ['files'],
  uses: { files: FileRepository },
  async handler({ project_id, files: batch, delete_missing }, { files }) {
    const report = await files.ingest(project_id, batch, delete_missing);
    return { ...report, rejected: [...report.rejected] };
  },
});
