import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { EndLine } from '../transfer/lines.js';
import { MemoryExport } from '../transfer/memory-export.js';

export const exportMemory = defineTool({
  name: 'memory_export',
  title: 'Export memory',
  description:
    'Streams the memory of a workspace as NDJSON: events, nodes with their versions, edges; memory_import reads it. The last line has the record "end" with their numbers.',
  input: Type.Object({ workspace_id: WorkspaceId }, closed),
  output: EndLine,
  effect: 'read',
  access: { scope: 'memory:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/memory/export', streams: 'out' },
  surfaces: ['rest'],
  uses: { memory: MemoryExport },
  async handler({ workspace_id }, { memory }, { send }) {
    const counts = { events: 0, nodes: 0, versions: 0, edges: 0 };
    for await (const { record } of memory.read(workspace_id)) {
      counts[`${record.record}s` as keyof typeof counts] += 1; // the four records that read gives
      await send(record);
    }
    return { record: 'end' as const, ...counts };
  },
});
