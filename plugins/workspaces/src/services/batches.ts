/** Ids in one statement. */
export const IDS_PER_STATEMENT = 500;

/** Slices of a list, because databases limit the bindings of a statement. */
export function* batchesOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
