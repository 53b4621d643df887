import type { Knex } from 'knex';

/** The page shape of interface.md section 2. */
export interface PageOf<T> {
  readonly items: T[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly has_next: boolean;
  readonly has_prev: boolean;
}

/** The arguments `paging` of a collection. */
export interface PageRequest {
  readonly page: number;
  readonly per_page: number;
}

/** Runs an ordered, selecting query for one page of it, and counts the whole. */
export async function selectPage<Row, T>(
  query: Knex.QueryBuilder,
  request: PageRequest,
  toItem: (row: Row) => T | Promise<T>,
): Promise<PageOf<T>> {
  const { page, per_page } = request;
  const total = await countRows(query.clone());
  const rows = (await query.limit(per_page).offset((page - 1) * per_page)) as Row[];
  return pageOf(await Promise.all(rows.map(toItem)), total, request);
}

/** The items of one page of `total`, in the page shape. */
export function pageOf<T>(items: T[], total: number, { page, per_page }: PageRequest): PageOf<T> {
  return { items, total, page, per_page, has_next: page * per_page < total, has_prev: page > 1 };
}

/** A page as text for a model: a line per item, then how to continue. */
export function pageText<T>(page: PageOf<T>, line: (item: T) => string): string {
  return [...page.items.map(line), pageNote(page)].join('\n');
}

/** How a page as text for a model ends: the page to go on with, the last one for a page beyond it, or the total. */
export function pageNote({ items, total, page, per_page, has_next }: PageOf<unknown>): string {
  if (has_next) return `More of ${total}: page ${page + 1}`;
  if (items.length > 0 || total === 0) return `${total} in all`;
  return `There is no page ${page}: the last of these ${total} is page ${Math.ceil(total / per_page)}`;
}

/** How many rows a query finds. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const row: { n: number } | undefined = await query.clearSelect().clearOrder().count({ n: '*' }).first();
  return row?.n ?? 0;
}
