import type { Records } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { MAX_CONTENT_BYTES } from '../schemas.js';
import { fail, type Tally } from './import-entries.js';

/** A line of a node that the workspace has, which may say more than the node. */
export interface Growth {
  readonly line: number;
  /** In the workspace. */
  readonly id: string;
  readonly content: string;
}

/**
 * Adds to nodes the observations of lines that were skipped. One that any version of the node had is not added: it was
 * imported before, and somebody may have corrected it since. In a transaction of its own: after a crash, who sends the
 * lines again adds the rest.
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
    const there = new Set((await rows.orderBy('id').forUpdate().pluck('id')) as string[]); // SQLite has one writer anyway
    for (const { line, id, content } of growths) {
      if (!there.has(id)) continue;
      const versions = (await sql('memory_node_versions').where({ node_id: id }).pluck('node')) as string[];
      const known = new Set(
        versions.flatMap((node) => observationsOf((JSON.parse(node) as KnowledgeNode).content)),
      );
      const more = observationsOf(content).filter((observation) => !known.has(observation));
      if (more.length === 0) continue;
      const grown = [(await own.get(id)).content, ...more].join('\n');
      outcome.skipped -= 1;
      if (Buffer.byteLength(grown) > MAX_CONTENT_BYTES) {
        fail(
          outcome,
          line,
          `content: with these observations it has over ${MAX_CONTENT_BYTES} bytes of UTF-8`,
        );
        continue;
      }
      await own.update(id, { content: grown }, 'memory.node.updated');
      outcome.imported += 1;
    }
  });
  tally.imported += outcome.imported;
  tally.skipped += outcome.skipped;
  tally.faults.push(...outcome.faults);
}

/** An observation may have several lines. */
function observationsOf(content: string): string[] {
  return content.split(/\n(?=- )/);
}
