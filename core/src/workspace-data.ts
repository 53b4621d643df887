import { countRows } from './paging.js';
import { Database, type Sql } from './database.js';
import { jsonCodec } from './json-columns.js';
import { collect, contribute, type Provider } from './token.js';

/** Some exported records, and where the next ones begin; `next` is undefined after the last. */
export interface ExportPage {
  readonly records: ReadonlyArray<{ readonly record: string; readonly [field: string]: unknown }>;
  readonly next: string | undefined;
}

/** The workspace data of a plugin. Every plugin with a table that has a `workspace_id` contributes one. */
export interface WorkspaceData {
  /** The scope that a caller needs to export it, besides that of the export: `memory:read`. */
  readonly scope?: string;
  /** For the overview: how many there are, by name (`bookmarks`). */
  count?(workspaceId: string): Promise<Readonly<Record<string, number>>>;
  /**
   * Deletes all of it, in the transaction in which the workspace is deleted; where the plugin was disabled then, once it is
   * enabled again. It may run again for a workspace that is gone.
   */
  erase(sql: Sql, workspaceId: string): Promise<void>;
  /** Records after a place (undefined: from the first), at most `limit`, in a fixed order. Each names its kind in `record`. */
  export?(workspaceId: string, after: string | undefined, limit: number): Promise<ExportPage>;
}
export const WorkspaceData = collect<WorkspaceData>('core.WorkspaceData');

/** A table with a `workspace_id`, for {@link workspaceRows}. */
export interface WorkspaceTable {
  readonly table: string;
  /** Counted and exported where it is named: the kind of record of a row, which has an `id`. Else the rows are erased alone. */
  readonly record?: string;
  /** False: counted alone; its plugin contributes the export itself. */
  readonly exported?: false;
  /** The name of its count; default: that of the table. */
  readonly counted?: string;
  /** The exported fields of a row. */
  readonly columns?: readonly string[];
  /** Those of them that are JSON in text. */
  readonly json?: readonly string[];
  /** Rows that count and are exported: `{ deleted: 0 }`. */
  readonly where?: Readonly<Record<string, string | number>>;
}

/**
 * Contributes tables as data of workspaces: erased with them, and counted and exported where a table names its record.
 * `scope` is what a caller needs to export them, as of {@link WorkspaceData}.
 */
export function workspaceRows(tables: readonly WorkspaceTable[], scope?: string): Provider {
  const shown = tables.flatMap((each) =>
    each.record === undefined ? [] : [{ ...each, record: each.record }],
  );
  const exported = shown.filter((each) => each.exported !== false);
  return contribute(WorkspaceData, {
    uses: { database: Database },
    create: ({ database }): WorkspaceData => {
      const living = ({ table, where = {} }: WorkspaceTable, workspace_id: string) =>
        database.sql(table).where({ ...where, workspace_id });
      return {
        ...(scope !== undefined && { scope }),
        async count(workspaceId) {
          const counts: Record<string, number> = {};
          for (const each of shown)
            counts[each.counted ?? each.table] = await countRows(living(each, workspaceId));
          return counts;
        },
        async erase(sql, workspace_id) {
          for (const { table } of tables) await sql(table).where({ workspace_id }).delete();
        },
        async export(workspaceId, after = '0 ', limit) {
          const [at = '0', id = ''] = after.split(' ');
          const each = exported[Number(at)];
          if (!each) return { records: [], next: undefined };
          const rows: Array<{ id: string }> = await living(each, workspaceId)
            .where('id', '>', id)
            .orderBy('id')
            .limit(limit)
            .select(...(each.columns ?? ['*']));
          const last = rows.at(-1);
          const more = rows.length === limit && last ? `${at} ${last.id}` : `${Number(at) + 1} `;
          const next = more.startsWith(`${exported.length} `) ? undefined : more;
          const { decode } = jsonCodec(each.json ?? []);
          return { records: rows.map((row) => ({ record: each.record, ...decode(row) })), next };
        },
      };
    },
  });
}
