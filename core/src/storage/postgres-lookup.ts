import type { Sql } from '../database.js';

/** Errors of prepared statements behind a pooler that routes each statement to another server connection. */
const LOST_STATEMENT = new Set(['26000', '42P05']);

/** A look-up of one row in PostgreSQL: see Database.prepare. Behind a pooler that loses prepared statements it goes without. */
export function prepareOnPostgres<Row>(
  sql: Sql,
  name: string,
  text: string,
): (...bindings: readonly string[]) => Promise<Row | undefined> {
  let options: { readonly name: string } | undefined = { name };
  const run = async (bindings: readonly string[], own: typeof options): Promise<Row | undefined> => {
    const query = sql.raw(text, bindings);
    const { rows } = (await (own ? query.options(own) : query)) as { readonly rows: readonly Row[] };
    return rows[0];
  };
  return async (...bindings) => {
    const own = options; // of this call: another one may lose its statement meanwhile
    try {
      return await run(bindings, own);
    } catch (error) {
      if (!own || !LOST_STATEMENT.has(String((error as { code?: unknown }).code))) throw error;
      options = undefined;
      return run(bindings, undefined);
    }
  };
}
