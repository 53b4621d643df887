import { provide, token } from '@service-mcp/core';
import { MemorySearch, type MemoryHit } from '@service-mcp/plugin-memory/contract';
import type { Candidate, SectionKind } from '../packing/candidate.js';

export interface MemoryQuery {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string;
  readonly as_of?: string;
  /** Records, 1 to 100. */
  readonly limit: number;
}

export interface MemoryCandidates {
  /** What a team knows about a query: decisions, constraints and lessons before other records. */
  find(query: MemoryQuery, signal: AbortSignal): Promise<Candidate[]>;
}
export const MemoryCandidates = token<MemoryCandidates>('ai.MemoryCandidates');

const MAX_CHARS = 4000;
/** Records with less of the best score are chatter. */
const RELEVANT = 0.4;
/** Weights of kinds beside code: what binds the answer comes before what only colours it. */
const KINDS: Readonly<Record<string, readonly [SectionKind, number]>> = {
  decision: ['decision', 1.2],
  constraint: ['constraint', 1.2],
  lesson: ['lesson', 1],
  warning: ['lesson', 1],
  correction: ['lesson', 1],
  preference: ['constraint', 1],
};
const OTHER = ['memory', 0.7] as const;

export const memoryCandidates = provide(MemoryCandidates, {
  uses: { memory: MemorySearch },
  create: ({ memory }): MemoryCandidates => ({
    async find({ query, workspace_id, project_id, as_of, limit }, signal) {
      const { results } = await memory.find(
        {
          query,
          workspace_id,
          project_id,
          as_of,
          limit,
          kinds: ['event', 'node'],
          event_types: [],
          node_types: [],
          min_score: 0,
          content_max_chars: MAX_CHARS,
          include_superseded: false,
          by_recency: true,
        },
        signal,
      );
      const best = results[0]?.score ?? 0;
      return results.filter(({ score }) => score >= RELEVANT * best).map((hit) => candidateOf(hit, best));
    },
  }),
});

function candidateOf(hit: MemoryHit, best: number): Candidate {
  const { id, type, title, content, score, occurred_at, status } = hit;
  const [kind, weight] = KINDS[type] ?? OTHER;
  const standing = status === null || status === 'active' ? '' : `, ${status}`;
  return {
    kind,
    title,
    id,
    text: content,
    score: best > 0 ? Math.min(1, (score / best) * weight) : 0,
    reason: `${type} of ${occurred_at.slice(0, 10)}${standing}`,
  };
}
