import { createHash } from 'node:crypto';
import { Database, contribute, countRows } from '@service-mcp/core';
import { IndexSources, type DocumentState, type IndexSource } from '@service-mcp/plugin-search/contract';

const MOST_ATTEMPTS = 5;

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly title: string;
  readonly body: string;
  readonly updated_at: string;
  readonly revision: number;
  readonly attempts: number;
}

/** Lets search index tickets. `indexing_status = 'pending'` in our table is its queue. */
export const ticketSource = contribute(IndexSources, {
  uses: { database: Database },
  create: ({ database }): IndexSource => ({
    name: 'tickets',
    kinds: ['event'],
    async claim(limit) {
      const rows = (await database
        .sql('tickets')
        .where({ indexing_status: 'pending' })
        .orderBy([{ column: 'attempts' }, { column: 'id' }])
        .limit(limit)) as Row[];
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await database.sql('tickets').whereIn('id', ids).increment('attempts', 1);
      return rows.map((row) => ({
        id: row.id,
        workspaceId: row.workspace_id,
        projectId: null,
        kind: 'event',
        path: '',
        language: null,
        title: row.title,
        text: row.body,
        tags: [],
        updatedAt: row.updated_at,
        sha256: hashOf(row),
        revision: row.revision,
        removed: false,
        attempts: row.attempts + 1,
      }));
    },
    async settle(outcomes) {
      for (const outcome of outcomes) {
        const { id, revision } = outcome;
        const row = database.sql('tickets').where({ id, revision }); // changed since: stays pending
        if (outcome.status === 'indexed') await row.update({ indexing_status: 'indexed' });
        else if (outcome.permanent) await row.update({ indexing_status: 'failed' });
        else await row.where('attempts', '>=', MOST_ATTEMPTS).update({ indexing_status: 'failed' });
      }
    },
    async states(ids) {
      const rows = (await database.sql('tickets').whereIn('id', ids)) as Row[];
      return new Map(
        rows.map((row): [string, DocumentState] => [
          row.id,
          { sha256: hashOf(row), updatedAt: row.updated_at },
        ]),
      );
    },
    indexedTotal: () => countRows(database.sql('tickets').where({ indexing_status: 'indexed' })),
    requeueAll: () =>
      database.sql('tickets').update({ indexing_status: 'pending', attempts: 0 }).increment('revision', 1),
  }),
});

function hashOf({ title, body }: Row): string {
  return createHash('sha256').update(`${title}\n${body}`).digest('hex');
}
