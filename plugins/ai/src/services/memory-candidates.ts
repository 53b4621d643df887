import { provide, token } from '@service-mcp/core';
import {
  AS_OF_LATER,
  MemorySearch,
  RecentEvents,
  standingOf,
  type MemoryHit,
  type RecentEvent,
} from '@service-mcp/plugin-memory/contract';
import { excerpt, type SearchOutput } from '@service-mcp/plugin-search/contract';
import type { Candidate, SectionKind } from '../packing/candidate.js';
import { bestOf, type TextScores } from './code-candidates.js';

export interface MemoryQuery {
  readonly query: string;
  readonly workspace_id: string;
  /** Leaves out records of other projects; those of no project remain. */
  readonly project_id?: string;
  /** The conversation whose newest events come first. Default: those of the workspace, fewer and shorter. */
  readonly session_id?: string;
  /** RFC 3339, UTC. */
  readonly as_of?: string;
  /** Records that the query finds, 1 to 100. */
  readonly limit: number;
}

export interface FoundMemory extends Pick<SearchOutput, 'index'> {
  /** How a time in the query was read; why nothing was known at the time that is asked about. */
  readonly notes: readonly string[];
  readonly candidates: Candidate[];
  /** The query asks for nothing but what is of a time, and these records are. */
  readonly isOfTime: boolean;
}

export interface MemoryCandidates {
  /**
   * What a team knows about a query, and what happened last: decisions, constraints and lessons before other records.
   * `others`: the best scores of the other texts that were found; memory far below them is not about the query.
   */
  find(query: MemoryQuery, others: Promise<TextScores>, signal: AbortSignal): Promise<FoundMemory>;
}
export const MemoryCandidates = token<MemoryCandidates>('ai.MemoryCandidates');

const MAX_CHARS = 4000;
/** Records with less of the best score are chatter; all are where the best of them has less than this of other texts. */
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

/** What the newest of the records found gains beside one that is older by this time, which gains half. */
const NEWNESS = 0.1;
const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** Newest events: how many, how long each (0: its title), and the score of the first; each further one has a tenth less. */
const OF_SESSION = { limit: 8, maxChars: 800, score: 0.6 };
const OF_WORKSPACE = { limit: 3, maxChars: 0, score: 0.2 };

export const memoryCandidates = provide(MemoryCandidates, {
  uses: { memory: MemorySearch, recent: RecentEvents },
  create: ({ memory, recent }): MemoryCandidates => ({
    async find({ query, session_id, limit, ...scope }, others, signal) {
      const newest = session_id === undefined ? OF_WORKSPACE : OF_SESSION;
      const [{ results, index, period, type, warnings }, events, texts] = await Promise.all([
        memory.find(
          {
            ...scope,
            query,
            as_of: scope.as_of,
            with_shared: true,
            limit,
            kinds: ['event', 'node'],
            event_types: [],
            node_types: [],
            min_score: 0,
            content_max_chars: MAX_CHARS,
            include_superseded: false,
            by_recency: false, // which depends on the time of the call
            with_binding: true,
          },
          { signal },
        ),
        recent.list({ ...scope, session_id, limit: newest.limit }),
        others,
      ]);
      const relevance = relevanceOf(bestOf(results), texts);
      const best = results[0]?.score ?? 0;
      const isRelevant = ({ score }: MemoryHit) => relevance >= RELEVANT && score >= RELEVANT * best;
      const isAsked = (hit: MemoryHit) => period !== undefined || hit.type === type;
      const hits = results.filter((hit) => isAsked(hit) || isByWords(hit) || isRelevant(hit));
      const last = Math.max(...hits.map(({ occurred_at }) => Date.parse(occurred_at)));
      const found = new Set(hits.map(({ id }) => id));
      const newestEvents = period && session_id === undefined ? [] : events; // which are of another time
      const candidates = [
        ...hits.map((hit) =>
          foundCandidate(hit, isAsked(hit) ? best : isByWords(hit) ? 1 : best / relevance, last),
        ),
        ...newestEvents
          .filter(({ id }) => !found.has(id))
          .map((event, rank) => recentCandidate(event, query, rank, newest, session_id !== undefined)),
      ];
      return {
        candidates,
        index,
        isOfTime: period !== undefined,
        notes: period ? warnings.slice(0, 1) : warnings.filter((each) => each === AS_OF_LATER),
      };
    },
  }),
});

const dayOf = (time: string) => time.slice(0, 10);

/** How near the best of memory is to a query, 0 to 1: beside the best of other texts, by words or by meaning. */
function relevanceOf(memory: TextScores, others: TextScores): number {
  const beside = (own: number, other: number) => (own > 0 ? own / Math.max(own, other) : 0);
  return Math.max(beside(memory.keyword, others.keyword), beside(memory.semantic, others.semantic));
}

/** Whether a record that the index does not have yet was found by its words: it has half of those of the query at least. */
function isByWords({ scores }: MemoryHit): boolean {
  return scores.fused === undefined && scores.keyword !== undefined;
}

function foundCandidate(hit: MemoryHit, best: number, last: number): Candidate {
  const { id, type, title, content, score, occurred_at, validity } = hit;
  const isValid = validity === null || validity === 'current';
  const [kind, weight] = (isValid ? KINDS[type] : undefined) ?? OTHER; // what does not hold binds nobody
  const standing = standingOf(hit).join(', ');
  const newness = NEWNESS * 0.5 ** ((last - Date.parse(occurred_at)) / HALF_LIFE_MS);
  return {
    kind,
    title,
    id,
    text: content,
    score: Math.min(1, ((score / best) * weight * (1 + newness)) / (1 + NEWNESS)),
    date: dayOf(occurred_at),
    ...(standing !== '' && { standing }),
    reason: `${type} of ${dayOf(occurred_at)}${standing === '' ? '' : `, ${standing}`}`,
  };
}

function recentCandidate(
  { id, type, title, content, occurred_at }: RecentEvent,
  query: string,
  rank: number,
  { maxChars, score }: typeof OF_SESSION,
  ofSession: boolean,
): Candidate {
  const [kind] = KINDS[type] ?? OTHER;
  return {
    kind,
    title,
    id,
    text: maxChars === 0 ? '' : excerpt(content, query, maxChars).content,
    score: score * 0.9 ** rank,
    isRecent: true,
    date: dayOf(occurred_at),
    reason: `recent ${type} of ${ofSession ? 'this conversation' : 'the workspace'}, ${dayOf(occurred_at)}`,
  };
}
