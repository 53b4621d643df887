import { CallAdmission, Database, WorkspaceData, holdsScope, provideForCall, token } from '@service-mcp/core';
import { IndexStatuses, OverviewPart } from '../contract.js';
import type { Overview } from '../schemas.js';
import { QuotaReport } from './quotas.js';

/** Counts of the contents of a workspace. */
export interface Overviews {
  read(workspaceId: string): Promise<Omit<Overview, 'workspace'>>;
}
export const Overviews = token<Overviews>('workspaces.Overviews');

export const overview = provideForCall(Overviews, {
  uses: {
    database: Database,
    statuses: IndexStatuses,
    quotas: QuotaReport,
    parts: OverviewPart,
    data: WorkspaceData,
    admission: CallAdmission,
  },
  create: ({ database: { sql }, statuses, quotas, parts, data, admission }) => ({
    async read(workspace_id) {
      const living = () => sql('files').where({ workspace_id, deleted: 0 });
      const { pending, indexed, failed } = await statuses.read(workspace_id);
      const seen = parts.filter(({ scope }) => scope === undefined || holdsScope(admission.caller, scope));
      const added = await Promise.all(seen.map((part) => part.read(workspace_id)));
      const counted = await Promise.all(data.map(async (part) => part.count?.(workspace_id)));
      const chunks = (await living().sum({ total: 'chunks' }).first()) as
        | { total: number | null }
        | undefined;
      const limited = await quotas.read(workspace_id);
      const languages = (await living()
        .whereNotNull('language')
        .groupBy('language')
        .select('language')
        .count({ files: '*' })
        .sum({ bytes: 'bytes' })) as Array<{ language: string; files: number; bytes: number }>;
      return {
        counts: {
          projects: 0,
          members: 0,
          events: 0,
          nodes: 0,
          ...(Object.assign({}, ...counted) as Record<string, number>),
          files: pending + indexed + failed,
          chunks: chunks?.total ?? 0,
        },
        indexing: { pending, indexed, failed },
        ...(limited.length > 0 && { quotas: limited }),
        languages: languages.sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1)),
        recent_events: added.flatMap((part) => part.recentEvents ?? []),
        recent_decisions: added.flatMap((part) => part.recentDecisions ?? []),
      };
    },
  }),
});
