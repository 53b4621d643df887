import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryFilters,
  type UseQueryResult,
} from '@tanstack/react-query';
import { call, type Input, type Output, type ToolName } from './call.js';
import { ofChange, type Failure } from './failure.js';
import { useRun } from './use-run.js';

const UNFINISHED_MS = 2_000;

interface Options<T> {
  /** False: not yet, an argument is missing. */
  readonly enabled?: boolean;
  /** Shows the last result until the next one is there: for lists whose arguments change. */
  readonly keep?: boolean;
  /** Whether a result is to change without an event, as one of a busy index is: then it is asked again and again. */
  readonly isUnfinished?: (result: T) => boolean;
  /** Milliseconds after which it is asked again, where no event tells of its changes. */
  readonly everyMs?: number;
}

/** The result of a tool that reads; asked again when an event says that it changed. */
export function useTool<N extends ToolName>(
  name: N,
  input: Input<N>,
  { enabled = true, keep, isUnfinished, everyMs }: Options<Output<N>> = {},
): UseQueryResult<Output<N>, Failure> {
  return useQuery<Output<N>, Failure>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    enabled,
    ...(keep && { placeholderData: keepPreviousData }),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(isUnfinished && {
      refetchInterval: ({ state: { data } }) => data !== undefined && isUnfinished(data) && UNFINISHED_MS,
    }),
  });
}

type Listing = {
  [N in ToolName]: Output<N> extends { readonly items: readonly unknown[]; readonly has_next: boolean }
    ? N
    : never;
}[ToolName];
type Items<N extends Listing> = Pick<Output<N>, 'items'>;

const PAGE_SIZE = 100;
const MAX_PAGES = 10;

/** The items of all pages of a list, the first 1,000; asked again when an event says that it changed. */
export function useEvery<N extends Listing>(
  name: N,
  input: Omit<Input<N>, 'page' | 'per_page'>,
  { enabled = true }: Pick<Options<unknown>, 'enabled'> = {},
): UseQueryResult<Items<N>, Failure> {
  return useQuery<Items<N>, Failure>({
    queryKey: [name, input, 'every page'],
    queryFn: async ({ signal }) => {
      const items: unknown[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const part = await call(name, { ...input, page, per_page: PAGE_SIZE }, signal);
        items.push(...part.items);
        if (!part.has_next) break;
      }
      return { items } as Items<N>;
    },
    enabled,
  });
}

/** A tool that changes something. What it changed is read again, whether the event stream is open or not. */
export function useAction<N extends ToolName>(name: N) {
  const client = useQueryClient();
  const action = useMutation<Output<N>, Failure, Input<N>>({
    mutationKey: [name],
    mutationFn: (input) => call(name, input).catch(ofChange),
    onSuccess: () => refresh(client, [name.slice(0, name.indexOf('_') + 1)]),
  });
  return { ...action, run: useRun(action) };
}

/**
 * Reads again what tools return: those whose names start so, everything for an empty start, and those that were asked
 * for something of that id.
 */
export function refresh(client: QueryClient, startsAndIds: readonly string[]): Promise<void> {
  return client.invalidateQueries(namedBy(startsAndIds));
}

/** Reads it again where it is shown next. */
export function markStale(client: QueryClient, startsAndIds: readonly string[]): void {
  void client.invalidateQueries({ ...namedBy(startsAndIds), type: 'inactive', refetchType: 'none' });
}

const namedBy = (startsAndIds: readonly string[]): QueryFilters => ({
  predicate: ({ queryKey: [name, input] }) => {
    const values: readonly unknown[] = Object.values(input ?? {});
    return startsAndIds.some((each) => String(name).startsWith(each) || values.includes(each));
  },
});
