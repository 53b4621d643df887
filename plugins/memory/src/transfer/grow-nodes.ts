import type { Records, Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { MAX_CONTENT_BYTES } from '../schemas.js';
import type { VersionRow } from '../services/node-versions.js';
import { fail, type Tally } from './import-entries.js';

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
 * imported before, and somebody may have corrected it since. Each node is read and written once, however many lines it
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
    const ids = growths.map(({ id }) => id);
    const rows = sql('memory_nodes').whereIn('id', ids).where({ deleted: 0 });
    const there = (await rows.orderBy('id').forUpdate().pluck('id')) as string[]; // SQLite has one writer anyway
    for (const id of there) {
      const known = await observationsEver(sql, id);
      let { content } = await own.get(id);
      for (const growth of growths.filter((each) => each.id === id)) {
        const more = observationsOf(growth.content).filter((observation) => !known.has(observation));
        if (more.length === 0) continue;
        const grown = [content, ...more].join('\n');
        outcome.skipped -= 1;
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
      await own.update(id, { content }, 'memory.node.updated');
    }
  });
  tally.imported += outcome.imported;
  tally.skipped += outcome.skipped;
  tally.faults.push(...outcome.faults.sort((a, b) => a.line - b.line));
}

/** The observations of all versions of a node. */
async function observationsEver(sql: Sql, node_id: string): Promise<Set<string>> {
  const known = new Set<string>();
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
    if (rows.length < PAGE_ROWS) return known;
  }
}

/** An observation may have several lines. */
function observationsOf(content: string): string[] {
  return content.split(/\n(?=- )/);
}
