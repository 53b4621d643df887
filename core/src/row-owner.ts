import { Database, type Query } from './database.js';
import { ResourceOwners } from './services.js';
import { contribute, type Provider } from './token.js';

export interface MistakenRows {
  readonly table: string;
  readonly where?: Readonly<Record<string, unknown>>;
  /** What they are, and what to call: `it is a label, which labels_get shows`. */
  readonly hint: string;
}

/**
 * Contributes the owner of a resource that is a row with an `id` and a `workspace_id`: calls with
 * `access.in: { resource, id }` are admitted in the workspace of that row.
 */
export function rowOwner(owned: {
  /** As tools write it in `access.in.resource`: `bookmark`. */
  readonly resource: string;
  readonly table: string;
  /** The tool that lists the ids, named to callers who use an id that they may not see. */
  readonly listedBy: string;
  /** The column that names it for people: makes its ids complete by their beginning and by that of the name. */
  readonly named?: string;
  /** Of rows that exist: others do not complete. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** See `ResourceOwner`. */
  readonly columns?: readonly string[];
  readonly queued?: boolean;
  /** Rows of another table, with these fields, whose ids callers mistake for these, and what they are told then. */
  readonly mistaken?: MistakenRows;
}): Provider {
  const {
    resource,
    table,
    listedBy,
    named,
    where = {},
    columns = ['id', 'workspace_id'],
    queued = false,
    mistaken,
  } = owned;
  return contribute(ResourceOwners, {
    uses: { database: Database },
    create: ({ database }) => ({
      resource,
      table,
      columns,
      queued,
      listedBy,
      async workspaceOf(id) {
        const row: { workspace_id: string | null } | undefined = await database
          .sql(table)
          .where({ id })
          .first('workspace_id');
        return row?.workspace_id;
      },
      ...(mistaken && {
        async mistakenFor(id: string) {
          const row: { workspace_id: string } | undefined = await database
            .sql(mistaken.table)
            .where({ id, ...mistaken.where })
            .first('workspace_id');
          return row && { workspaceId: row.workspace_id, hint: mistaken.hint };
        },
      }),
      ...(named !== undefined && {
        startingWith: (start: string, workspaceIds: readonly string[], limit: number) =>
          idsStartingWith(database.sql(table).where(where).whereIn('workspace_id', workspaceIds), named, {
            start,
            limit,
          }),
      }),
    }),
  });
}

/** Ids of rows that begin with a text, or whose name does in any case: the newest first. */
export async function idsStartingWith(
  rows: Query,
  named: string,
  { start, limit }: { readonly start: string; readonly limit: number },
): Promise<string[]> {
  const length = Array.from(start).length;
  const matching = rows.where((either) =>
    either
      .whereRaw('substr(id, 1, ?) = ?', [length, start])
      .orWhereRaw('lower(substr(??, 1, ?)) = lower(?)', [named, length, start]),
  );
  return (await matching.orderBy('id', 'desc').limit(limit).pluck('id')) as string[];
}
