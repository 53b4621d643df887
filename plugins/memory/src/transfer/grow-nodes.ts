import type { Records, Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { MAX_CONTENT_BYTES } from '../schemas.js';
import type { VersionRow } from '../services/node-versions.js';
import { readSuccessors } from '../services/successors.js';
import { fail, type Tally } from './import-entries.js';

type StatusRow = Pick<KnowledgeNode, 'id' | 'status'>;

/** Versions of one query: each may have 100 kB of content. */
const PAGE_ROWS = 100;

/** A line of a node that the workspace has, which may say more than the node. */
export interface Growth {
  readonly line: number;
  /** In the workspace. */
  readonly id: string;
  readonly content: string;
}

/**
 * Adds to nodes the observations of lines that were skipped. One that any version of the node had is not added: it was
 * imported before, and somebody may have corrected it since. Those of a superseded node go to the one that holds in its
 * place. Each node is read and written once, however many lines it
 * has. In a transaction of its own: after a crash, who sends the lines again adds the rest.
 */
export async function growNodes(
  nodes: Records<KnowledgeNode>,
  growths: readonly Growth[],
  tally: Tally,
): Promise<void> {
  if (growths.length === 0) return;
  const outcome: Tally = { imported: 0, skipped: 0, faults: [] };
  await nodes.change(async (own, sql) => {
    const successors = await readSuccessors(
      sql,
      growths.map(({ id }) => id),
    );
    const paths = new Map(growths.map(({ id }) => [id, pathFrom(id, successors)]));
    const named = sql('memory_nodes')
      .whereIn('id', [...paths.values()].flat())
      .where({ deleted: 0 });
    const rows = (await named.orderBy('id').forUpdate().select('id', 'status')) as StatusRow[]; // SQLite has one writer anyway
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    const there = growths.filter(({ id }) => statuses.has(id));
    const endOf = ({ id }: Growth) => paths.get(id)?.at(-1) ?? id;
    for (const id of new Set(there.map(endOf))) {
      const lines = there.filter((growth) => endOf(growth) === id);
      const holds = (statuses.get(id) ?? 'superseded') !== 'superseded'; // nor deleted
      const known = await observationsEver(
        sql,
        lines.flatMap((growth) => paths.get(growth.id) ?? []),
      );
      let { content } = holds ? await own.get(id) : { content: '' };
      for (const growth of lines) {
        const more = observationsOf(growth.content).filter((observation) => !known.has(observation));
        if (more.length === 0) continue;
        const grown = [content, ...more].join('\n');
        outcome.skipped -= 1;
        if (!holds) {
          fail(
            outcome,
            growth.line,
            `content: the node ${growth.id} is superseded, and no node took its place`,
          );
          continue;
        }
        if (Buffer.byteLength(grown) > MAX_CONTENT_BYTES) {
          fail(
            outcome,
            growth.line,
            `content: with these observations it has over ${MAX_CONTENT_BYTES} bytes of UTF-8`,
          );
          continue;
        }
        content = grown;
        for (const observation of more) known.add(observation);
        outcome.imported += 1;
      }
      if (holds) await own.update(id, { content }, 'memory.node.updated');
    }
  });
  tally.imported += outcome.imported;
  tally.skipped += outcome.skipped;
  tally.faults.push(...outcome.faults.sort((a, b) => a.line - b.line));
}

/** A node and those that took its place, up to the one that holds now. */
function pathFrom(id: string, successors: ReadonlyMap<string, string>): string[] {
  const path = new Set([id]); // an import may bring a circle
  for (let next = successors.get(id); next !== undefined && !path.has(next); next = successors.get(next))
    path.add(next);
  return [...path];
}

/** The observations of all versions of nodes. */
async function observationsEver(sql: Sql, nodeIds: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const node_id of new Set(nodeIds)) await addObservations(sql, node_id, known);
  return known;
}

async function addObservations(sql: Sql, node_id: string, known: Set<string>): Promise<void> {
  for (let last = 0; ;) {
    const rows = await sql<VersionRow>('memory_node_versions')
      .where({ node_id })
      .where('version', '>', last)
      .orderBy('version')
      .limit(PAGE_ROWS)
      .select('version', 'node');
    for (const { version, node } of rows) {
      last = version;
      for (const each of observationsOf((JSON.parse(node) as KnowledgeNode).content)) known.add(each);
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

/** An observation may have several lines. */
function observationsOf(content: string): string[] {
  return content.split(/\n(?=- )/);
}
