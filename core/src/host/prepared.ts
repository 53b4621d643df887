import type { Database, Sql } from '../services.js';

/** What a connection pooler that hands each statement to another server connection answers to a prepared one. */
const LOST_STATEMENT = new Set(['26000', '42P05']);

/** See Database.prepare. Behind a pooler that loses prepared statements it goes without. */
export function prepareFind<Row>(
  sql: Sql,
  engine: Database['engine'],
  name: string,
  text: string,
): (...bindings: readonly string[]) => Promise<Row | undefined> {
  let options = engine === 'postgresql' ? { name } : undefined;
  const run = async (bindings: readonly string[]): Promise<Row | undefined> => {
    const query = sql.raw(text, bindings);
    // As each driver gives it.
    const answer = (await (options ? query.options(options) : query)) as Row[] | { readonly rows: Row[] };
    return (Array.isArray(answer) ? answer : answer.rows)[0];
  };
  return async (...bindings) => {
    try {
      return await run(bindings);
    } catch (error) {
      if (!options || !LOST_STATEMENT.has(String((error as { code?: unknown }).code))) throw error;
      options = undefined;
      return run(bindings);
    }
  };
}
