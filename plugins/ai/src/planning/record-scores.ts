import { isInForce, standingOf, type MemoryHit } from '@service-mcp/plugin-memory/contract';
import { analyse } from '@service-mcp/plugin-search/contract';
import type { FoundRecord } from './evidence.js';

/** Records with less of the best score of their query are chatter. */
const RELEVANT = 0.5;
/** Words of a record and the query that a record must share with it, at least; of short queries all. */
const MIN_SHARED = 2;
const MAX_RECORDS = 30;

interface Asked {
  readonly text: string;
  readonly part?: number;
  readonly constraint?: number;
}

/** Collects what memory has about the parts of some requirements, and about constraints of the caller. */
export class RecordScores {
  readonly #records = new Map<string, FoundRecord & { score: number }>();

  add(hits: readonly MemoryHit[], { text, part, constraint }: Asked): void {
    const terms = new Set(analyse(text));
    const best = hits[0]?.score ?? 0;
    for (const hit of hits) {
      const { id, type, title, content, score } = hit;
      if (score < RELEVANT * best) continue;
      const shared = new Set(analyse(`${title} ${content}`).filter((term) => terms.has(term))).size;
      if (shared < Math.min(MIN_SHARED, terms.size)) continue;
      const known = this.#records.get(id);
      this.#records.set(id, {
        id,
        type,
        title,
        content,
        standing: standingOf(hit).join(', '),
        isInForce: isInForce(hit),
        parts: [...(known?.parts ?? []), ...(part === undefined ? [] : [part])],
        constraints: [...(known?.constraints ?? []), ...(constraint === undefined ? [] : [constraint])],
        score: (known?.score ?? 0) + (score / best) * (shared / Math.max(1, terms.size)),
      });
    }
  }

  /** The best first. */
  list(): FoundRecord[] {
    return [...this.#records.values()]
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, MAX_RECORDS);
  }
}
