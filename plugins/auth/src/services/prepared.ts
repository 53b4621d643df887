import type { Database } from '@service-mcp/core';

/** What a connection pooler that hands each statement to another server connection answers to a prepared one. */
const LOST_STATEMENT = new Set(['26000', '42P05']);

/**
 * A fixed look-up of one row, for what every call pays: the text is built once, and PostgreSQL plans it once a
 * connection (a join costs it more to plan than to run). Behind a pooler that loses prepared statements it goes without.
 */
export function prepareFind<Row>(
  { sql, engine }: Database,
  name: string,
  text: string,
): (...bindings: string[]) => Promise<Row | undefined> {
  let options = engine === 'postgresql' ? { name } : undefined;
  const run = async (bindings: string[]): Promise<Row | undefined> => {
    const query = sql.raw(text, bindings);
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
