import { Database } from './database.js';
import { ResourceOwners } from './services.js';
import { contribute, type Provider } from './token.js';

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
}): Provider {
  const { resource, table, listedBy } = owned;
  return contribute(ResourceOwners, {
    uses: { database: Database },
    create: ({ database }) => ({
      resource,
      listedBy,
      async workspaceOf(id) {
        const row: { workspace_id: string | null } | undefined = await database
          .sql(table)
          .where({ id })
          .first('workspace_id');
        return row?.workspace_id;
      },
    }),
  });
}
