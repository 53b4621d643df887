import { Database, countRows, provideForCall, token } from '@service-mcp/core';
import { IndexStatuses, OverviewPart } from '../contract.js';

/** What a workspace holds, in numbers. */
export interface Overview {
  read(workspaceId: string): Promise<{
    counts: {
      projects: number;
      files: number;
      chunks: number;
      events: number;
      nodes: number;
      members: number;
    };
    indexing: { pending: number; indexed: number; failed: number };
    languages: Array<{ language: string; files: number; bytes: number }>;
    recent_events: Array<Record<string, unknown>>;
    recent_decisions: Array<Record<string, unknown>>;
  }>;
}
export const Overview = token<Overview>('workspaces.Overview');

type Total = number | string | null;

export const overview = provideForCall(Overview, {
  uses: { database: Database, statuses: IndexStatuses, parts: OverviewPart },
  create: ({ database: { sql }, statuses, parts }) => ({
    async read(workspace_id) {
      const living = () => sql('files').where({ workspace_id, deleted: 0 });
      const { pending, indexed, failed } = await statuses.read(workspace_id);
      const added = await Promise.all(parts.map((part) => part.read(workspace_id)));
      const chunks = (await living().sum({ total: 'chunks' }).first()) as { total: Total };
      const languages = (await living()
        .whereNotNull('language')
        .groupBy('language')
        .select('language')
        .count({ files: '*' })
        .sum({ bytes: 'bytes' })) as Array<{ language: string; files: Total; bytes: Total }>;
      return {
        counts: {
          projects: await countRows(sql('projects').where({ workspace_id }).whereNull('deleted_at')),
          files: pending + indexed + failed,
          chunks: Number(chunks.total),
          events: sum(added.map((part) => part.events)),
          nodes: sum(added.map((part) => part.nodes)),
          members: await countRows(sql('memberships').where({ workspace_id })),
        },
        indexing: { pending, indexed, failed },
        languages: languages
          .map(({ language, files, bytes }) => ({ language, files: Number(files), bytes: Number(bytes) }))
          .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1)),
        recent_events: added.flatMap((part) => part.recentEvents ?? []),
        recent_decisions: added.flatMap((part) => part.recentDecisions ?? []),
      };
    },
  }),
});

function sum(numbers: ReadonlyArray<number | undefined>): number {
  return numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
}
