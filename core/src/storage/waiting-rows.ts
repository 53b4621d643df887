import type { Database } from '../database.js';

/** Rows of a small change at most. */
export const SMALL_CHANGE_ROWS = 16;
/** How many of the newest changes are looked at: enough for a second of ingest. */
const NEWEST_CHANGES = 64;

type Where = Readonly<Record<string, string>>;

/** Workspaces with pending rows of a queue, in order: one index probe each, however many rows wait. */
export async function waitingWorkspacesOf(
  database: Database,
  table: string,
  where: Where,
): Promise<string[]> {
  const { condition, bindings } = pendingIn(table, where);
  const found = await selectRows<{ id: string }>(
    database,
    // Begins as what it is: a read waits for no writer.
    `SELECT id FROM (
      WITH RECURSIVE waiting(id) AS (
        SELECT MIN(workspace_id) FROM ?? WHERE ${condition}
        UNION ALL
        SELECT (SELECT MIN(workspace_id) FROM ?? WHERE ${condition} AND workspace_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL
      ) SELECT id FROM waiting
    ) AS found WHERE id IS NOT NULL`,
    [...bindings, ...bindings],
  );
  return found.map(({ id }) => id);
}

/**
 * Times of the newest small changes of a queue. Reads one index from its end: of each change no more rows than tell that it
 * is not small, however many wait.
 */
export async function smallChangesOf(database: Database, table: string, where: Where): Promise<string[]> {
  const { condition, bindings } = pendingIn(table, where);
  const newest = await selectRows<{ since: string; n: number }>(
    database,
    // Not max(): for it, SQLite reads everything that waits.
    `SELECT since, (
      SELECT COUNT(*) FROM (
        SELECT 1 FROM ?? WHERE ${condition} AND pending_since = found.since LIMIT ${SMALL_CHANGE_ROWS + 1}
      ) AS counted
    ) AS n FROM (
      WITH RECURSIVE change(since, place) AS (
        SELECT (SELECT pending_since FROM ?? WHERE ${condition} ORDER BY pending_since DESC LIMIT 1), 1
        UNION ALL
        SELECT (
          SELECT pending_since FROM ?? WHERE ${condition} AND pending_since < change.since
          ORDER BY pending_since DESC LIMIT 1
        ), place + 1
        FROM change WHERE change.since IS NOT NULL AND place < ${NEWEST_CHANGES}
      ) SELECT since FROM change
    ) AS found WHERE since IS NOT NULL ORDER BY since DESC`,
    [...bindings, ...bindings, ...bindings],
  );
  return newest.filter(({ n }) => n <= SMALL_CHANGE_ROWS).map(({ since }) => since);
}

/** The condition on the pending rows of a queue, and the bindings of its table and of the condition. */
function pendingIn(table: string, where: Where) {
  const fixed = Object.entries(where);
  return {
    condition: [...fixed.map(() => '?? = ?'), "indexing_status = 'pending'"].join(' AND '),
    bindings: [table, ...fixed.flat()],
  };
}

async function selectRows<Row>(
  database: Database,
  query: string,
  bindings: readonly string[],
): Promise<Row[]> {
  const answer = (await database.sql.raw(query, bindings)) as Row[] | { rows: Row[] }; // as its engine gives rows
  return Array.isArray(answer) ? answer : answer.rows;
}
