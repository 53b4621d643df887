import type { Table } from './lance.js';

type Stats = Awaited<ReturnType<Table['indexStats']>>;
interface Known {
  readonly version: number;
  readonly stats: Stats;
}

const known = new WeakMap<Table, Map<string, Known>>();

/**
 * What LanceDB says of an index of a table; undefined without one. It is asked once in each version of the table: a search
 * asks before each read, and the answer takes seven times as long as the version.
 */
export async function indexStats(table: Table, name: string): Promise<Stats> {
  const version = await table.version();
  const ofTable = known.get(table) ?? new Map<string, Known>();
  known.set(table, ofTable);
  const last = ofTable.get(name);
  if (last?.version === version) return last.stats;
  const stats = await table.indexStats(name);
  ofTable.set(name, { version, stats });
  return stats;
}
