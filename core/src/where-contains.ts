import type { Knex } from 'knex';

/** Narrows a query to rows one of whose `columns` contains a text, in any letter case. */
export function whereContains(
  query: Knex.QueryBuilder,
  columns: readonly string[],
  text: string,
): Knex.QueryBuilder {
  return query.where((any) => {
    for (const spelling of spellingsOf(text)) {
      const form = `%${spelling.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      for (const column of columns)
        void any.orWhereRaw(String.raw`LOWER(??) LIKE LOWER(?) ESCAPE '\'`, [column, form]);
    }
  });
}

/** A text in lower case, in capitals, and as names are written: `LOWER` of SQLite knows no letters but those of ASCII. */
function spellingsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const asName = lower.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([lower, lower.toUpperCase(), asName, text])];
}
