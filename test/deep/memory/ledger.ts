import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '../../service-process.js';

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly has_next: boolean;
}
export interface StoredEvent {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly indexing_status: string;
}
export interface StoredNode {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly status: string;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly indexing_status: string;
}
export interface StoredVersion {
  readonly version: number;
  readonly recorded_at: string;
  readonly node: StoredNode;
}
export interface TimelineEntry {
  readonly id: string;
  readonly kind: 'event' | 'node';
  readonly occurred_at: string;
}

/** How often a list is read again that grows meanwhile: calls that their callers gave up may still be carried out. */
const MAX_READS = 20;

/** Every item of a list, once it is at rest: no page has an item of another one. */
export async function allPages<T extends { readonly id?: string; readonly version?: number }>(
  service: ServiceProcess,
  tool: string,
  args: object,
): Promise<T[]> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const items = new Map<unknown, T>();
    for (let page = 1; ; page++) {
      const found = await service.call<Page<T>>(tool, { ...args, page, per_page: 100 });
      for (const item of found.items) items.set(item.id ?? item.version, item);
      if (found.has_next) continue;
      if (items.size === found.total) return [...items.values()];
      break;
    }
    await delay(500);
  }
  assert.fail(`${tool} counts other items than its pages hold`);
}

/** The versions of a node, oldest first, after checking that their numbers have no gap and their times an order. */
export async function checkedVersions(service: ServiceProcess, node_id: string): Promise<StoredVersion[]> {
  const versions = (await allPages<StoredVersion>(service, 'memory_node_history', { node_id })).reverse();
  assert.deepEqual(
    versions.map(({ version }) => version),
    versions.map((_, at) => at + 1),
    `the versions of ${node_id} have a gap or are out of order`,
  );
  const times = versions.map(({ recorded_at }) => recorded_at);
  assert.deepEqual(times, times.toSorted(), `the versions of ${node_id} were recorded out of order`);
  const node = await service.call<StoredNode>('memory_get_node', { node_id });
  assert.equal(versions.at(-1)?.node.content, node.content, `${node_id} differs from its last version`);
  return versions;
}

/** Asserts that `found` holds each text of `acknowledged` once, and nothing that was not sent. */
export function assertEachOnce(
  found: readonly string[],
  acknowledged: readonly string[],
  sent: ReadonlySet<string>,
): void {
  const counts = new Map<string, number>();
  for (const text of found) counts.set(text, (counts.get(text) ?? 0) + 1);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 1),
    [],
    'these were stored twice',
  );
  assert.deepEqual(
    acknowledged.filter((text) => !counts.has(text)),
    [],
    'these were acknowledged and are lost',
  );
  assert.deepEqual(
    [...counts.keys()].filter((text) => !sent.has(text)),
    [],
    'these were never sent',
  );
}
