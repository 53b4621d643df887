import { closed, defineTool, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { ProjectId } from '../schemas.js';
import { FORMAT_NAMES } from '../transfer/formats/index.js';
import { MemoryImport } from '../transfer/memory-import.js';

export const importMemory = defineTool({
  name: 'memory_import',
  title: 'Import memory',
  description:
    'Reads memory into a workspace from NDJSON, one record a line: as memory_export writes it, or of another program. Existing records are skipped, so an import can be repeated. Keeping other creators needs the role admin.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      format: Type.Enum([...FORMAT_NAMES], {
        default: 'native',
        description:
          'native: lines of memory_export; mcp-memory: the file of the official memory server; mem0: its exported memories; basic-memory: notes as {path, markdown}',
      }),
      project_id: Type.Optional({
        ...ProjectId,
        description: 'Project for records whose own one is not in the workspace (from projects_list)',
      }),
    },
    closed,
  ),
  output: Type.Object(
    {
      imported: Type.Integer({ description: 'Records that were stored' }),
      skipped: Type.Integer({ description: 'Records that are in the workspace' }),
      failed: Type.Integer({ description: 'Records that were left out' }),
      redacted: Type.Integer({ description: 'Records that secrets were taken out of' }),
      errors: Type.Array(
        Type.Object({ line: Type.Integer({ description: 'From 1' }), message: Type.String() }, closed),
        { description: 'The first 100 of them' },
      ),
    },
    closedAs('ImportReport'),
  ),
  effect: 'update',
  destructive: false,
  access: { scope: 'memory:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/memory/import', streams: 'in' },
  surfaces: ['rest'],
  uses: { memory: MemoryImport },
  handler: ({ format, project_id: projectId }, { memory }, { lines }) =>
    memory.run(lines, { format, projectId }),
});
