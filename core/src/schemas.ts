import { Type, type Static, type TObject, type TSchema } from 'typebox';

/** Every object of the contract is closed: an unknown field is INVALID_ARGUMENT. */
export const closed = { additionalProperties: false } as const;

/** The same, with the name under which OpenAPI and the clients made from it know the object: `Workspace`. */
export function closedAs(title: string) {
  return { title, ...closed } as const;
}

const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/**
 * An id, never a display name; `listedBy` is the tool that lists such ids, or says in words what answers with them. Texts name
 * `foundBy` in its place, where that is a tool that more clients have.
 */
export function Id(what: string, listedBy: string, foundBy = listedBy) {
  return Type.String({
    pattern: UUID,
    description: `${what} id (from ${foundBy})`,
    'x-listed-by': listedBy,
    ...(foundBy !== listedBy && { 'x-found-by': foundBy }),
  });
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return new RegExp(UUID).test(text);
}

/** RFC 3339, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' });

/**
 * The moment that a plain day of UTC, such as 2026-01-31, means as an argument: its first millisecond, its last one, the one
 * before that, at which what ends with the day still holds, or the first of the next day, for bounds that are not part of
 * what they end.
 */
export type DayMeans = 'first' | 'within' | 'last' | 'next';

/** A time as an argument: RFC 3339, or a plain day, which reaches the handler as the time that it means. */
export function TimeOrDay(description: string, day: DayMeans = 'first') {
  return Type.String({ format: 'date-time', description, 'x-day': day });
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** The filter `indexing_status` of a list (interface.md section 3); {@link storedStatus} reads it. */
export const IndexingStatusFilter = Type.Enum(['all', 'pending', 'indexed', 'completed', 'failed'], {
  default: 'all',
  description: 'Only those in this state; completed is indexed, all is every one',
});

/** The stored status that a filter means; undefined for all. */
export function storedStatus(
  filter: Static<typeof IndexingStatusFilter>,
): 'pending' | 'indexed' | 'failed' | undefined {
  if (filter === 'all') return undefined;
  return filter === 'completed' ? 'indexed' : filter;
}

/** The arguments of every collection. */
export const paging = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page, from 1' }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items a page' }),
};

/** The page shape of interface.md section 2. A page of `Workspace` is a `WorkspacePage`. */
export function Page<T extends TObject>(item: T) {
  const { title } = item as { readonly title?: string }; // an option of Type.Object
  return Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer(),
      page: Type.Integer(),
      per_page: Type.Integer(),
      has_next: Type.Boolean(),
      has_prev: Type.Boolean(),
    },
    title === undefined ? closed : closedAs(`${title}Page`),
  );
}
