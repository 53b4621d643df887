import {
  CallAdmission,
  Clock,
  Database,
  WorkspaceData,
  contribute,
  invalidArgument,
  notFound,
  provideForCall,
  token,
  uuidv7,
} from '@service-mcp/core';
import type { PairRow } from './apart-store.js';
import { findKinds } from './kinds.js';

/** Records that resemble each other and are not duplicates, by the judgement of a person or an agent. */
export interface KeptApart {
  /**
   * Keeps every two of these records apart, 20 records of one kind at most: the hygiene report does not call them
   * duplicates any more. Pairs that were kept apart before stay as they are. Throws NOT_FOUND and INVALID_ARGUMENT.
   */
  keep(ids: readonly string[]): Promise<{ change_id: string; kept_apart: string[] }>;
}
export const KeptApart = token<KeptApart>('memory.KeptApart');

export const keptApart = provideForCall(KeptApart, {
  uses: { database: Database, clock: Clock, admission: CallAdmission },
  create: ({ database, clock, admission }): KeptApart => ({
    keep: (ids) =>
      database.transaction(async (sql) => {
        const kinds = await findKinds(sql, ids, admission);
        const absent = ids.find((id) => !kinds.has(id));
        if (absent !== undefined) throw notFound('memory', absent, 'memory_search');
        if (new Set(kinds.values()).size > 1)
          throw invalidArgument('/ids', 'name events and nodes: only records of one kind repeat each other');
        const change_id = uuidv7();
        const decided_at = clock.now().toISOString();
        const { workspaceId: workspace_id, caller } = admission;
        await sql('memory_changes').insert({
          id: change_id,
          workspace_id,
          kind: 'keep_apart',
          changed_at: decided_at,
          changed_by: caller.userId,
          undone_at: null,
          before: '[]',
          moved_edges: '[]',
        });
        const decided = { workspace_id, change_id, decided_at, decided_by: caller.userId };
        for (const record_id of ids) {
          const others = ids.filter((id) => id !== record_id);
          const rows = others.map((other_id): PairRow => ({ record_id, other_id, ...decided }));
          await sql('memory_kept_apart').insert(rows).onConflict(['record_id', 'other_id']).ignore();
        }
        return { change_id, kept_apart: [...ids] };
      }),
  }),
});

/** Each pair once in exports of a workspace, in the order of its ids. Erased where the tables of memory are declared. */
export const exportedKeptApart = contribute(WorkspaceData, {
  uses: { database: Database },
  create: ({ database: { sql } }): WorkspaceData => ({
    scope: 'memory:read',
    erase: () => Promise.resolve(),
    async export(workspace_id, after = ' ', limit) {
      const [first = '', second = ''] = after.split(' ');
      const rows = (await sql('memory_kept_apart')
        .where({ workspace_id })
        .whereRaw('record_id < other_id')
        .where((later) =>
          later
            .where('record_id', '>', first)
            .orWhere((same) => same.where({ record_id: first }).where('other_id', '>', second)),
        )
        .orderBy(['record_id', 'other_id'])
        .limit(limit)
        .select('record_id', 'other_id', 'decided_at', 'decided_by')) as PairRow[];
      const last = rows.at(-1);
      return {
        records: rows.map((row) => ({ record: 'kept_apart', ...row })),
        next: rows.length === limit && last ? `${last.record_id} ${last.other_id}` : undefined,
      };
    },
  }),
});
