import { Clock, Database, provide, token } from '@service-mcp/core';
import { Search, excerpt, type Ranking, type SearchedBy } from '@service-mcp/plugin-search/contract';
import type { MemoryHit } from '../answers.js';
import type { KnowledgeNode } from '../nodes.js';
import type { Kind } from './kinds.js';
import { versionsOfNodesAsOf } from './node-versions.js';
import { isIn, periodOf, typeAskedFor, wordsOfTimeAndType, type Period } from './time-words.js';
import type { Row, Scored } from './ranked-row.js';
import { NONE, rowsOf, textsOf } from './record-rows.js';
import { raiseBinding, withBinding } from './binding-records.js';
import { followSuccessors, heldIn } from './follow-successors.js';
import { placesOf } from './session-places.js';
import { scoresOfNewTexts } from './new-texts.js';
import { scoresOfPastTexts } from './past-texts.js';
import { wordsHeld, type BesideIndex } from './words-of-query.js';
import { withNamed } from './named-records.js';
import { belowOthers } from './repeated-records.js';
import { raiseLater, replacementsOf } from './replacements.js';
import { AS_OF_LATER } from '../standing.js';
import {
  leaveOutClosed,
  periodNotes,
  scoresOfPeriod,
  scoresOfType,
  typeInUse,
  typeNote,
} from './period-ranking.js';
import { POOL_OF_TYPES, scoresOfTypedTexts } from './typed-texts.js';
import {
  addByWords,
  bestOf,
  validityOf,
  withContext,
  withPeriod,
  withRecency,
  withValidity,
  withoutNoise,
} from './ranking.js';

export interface MemoryRequest {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string | undefined;
  /** With `project_id`: records of no project count, too, and only those of other projects are left out. */
  readonly with_shared?: boolean;
  readonly kinds: readonly Kind[];
  readonly event_types: readonly string[];
  readonly node_types: readonly string[];
  readonly as_of: string | undefined;
  readonly limit: number;
  readonly min_score: number;
  readonly content_max_chars: number;
  /** Superseded nodes are results of their own, below what replaced them. */
  readonly include_superseded: boolean;
  /** Newer and more important records count for more. */
  readonly by_recency: boolean;
  /** Beyond the limit, also a few decisions and constraints in force that have words of the query. */
  readonly with_binding?: boolean;
}

type Asked = Pick<MemoryRequest, 'query' | 'workspace_id' | 'project_id' | 'with_shared' | 'kinds' | 'as_of'>;

/** Search over events and nodes. The caller must be admitted to the workspace. */
export interface MemorySearch {
  find(
    request: MemoryRequest,
    by: SearchedBy,
  ): Promise<
    Pick<Ranking, 'index' | 'warnings'> & {
      results: MemoryHit[];
      total: number;
      /** The time that the query asks for and nothing else, where all results are of it. */
      readonly period: Period | undefined;
      /** The type of records that the query asks for and nothing else, where some are of it. */
      readonly type: string | undefined;
    }
  >;
  /** The ids of decisions that a query finds, nodes and events, best first, and the state of the index that was asked. */
  decisionIds(
    request: Pick<MemoryRequest, 'query' | 'workspace_id' | 'project_id' | 'as_of'>,
    by: SearchedBy,
  ): Promise<Pick<Ranking, 'index'> & { readonly ids: string[] }>;
}
export const MemorySearch = token<MemorySearch>('memory.Search');

/** Documents that are ranked by text before context, time and importance are weighed; more found no more (ADR 50). */
const POOL = 100;
/** The best of what context has raised, which are read. */
const MAX_ROWS = 200;
/** A decision without a word of the query needs this part of the best score: every text is a little near to any. */
const RELEVANT = 0.25;

export const memorySearch = provide(MemorySearch, {
  uses: { search: Search, database: Database, clock: Clock },
  create({ search, database, clock }): MemorySearch {
    const { sql } = database;

    const rankedIn = (
      { query, workspace_id, project_id }: Pick<MemoryRequest, 'query' | 'workspace_id' | 'project_id'>,
      kinds: readonly Kind[],
      limit: number,
      by: SearchedBy,
      held: ReadonlySet<string> = new Set(),
    ) =>
      search.rank(
        'hybrid',
        {
          query,
          workspace_id,
          ...(project_id !== undefined && { project_id }),
          filters: { kinds: [...kinds] },
          limit,
          understood: [
            wordsOfTimeAndType(query, periodOf(query, clock.now())),
            ...wordsHeld(query, held),
          ].join(' '),
        },
        by,
      );

    /** Records whose texts the index does not have: those of another time, or of this moment. */
    async function besideIndex({ as_of, with_shared, project_id, ...asked }: Asked): Promise<BesideIndex> {
      const scope = with_shared ? {} : { project_id };
      if (as_of === undefined) return scoresOfNewTexts(sql, { ...asked, ...scope });
      if (asked.kinds.includes('node')) return scoresOfPastTexts(sql, { ...asked, ...scope, as_of });
      return { scores: new Map(), held: new Set() };
    }

    /** Nodes as they were held true at a time; events that had happened and were recorded. */
    async function asOf(rows: Map<string, Row>, time: string): Promise<void> {
      const nodes = [...rows.values()].filter(({ kind }) => kind === 'node').map(({ id }) => id);
      const versions = (await versionsOfNodesAsOf(sql, nodes, time).select(
        'memory_node_versions.node',
      )) as Array<{ node: string }>;
      for (const id of nodes) rows.delete(id);
      for (const { node } of versions) {
        const { id, node_type: type, valid_from: at, ...held } = JSON.parse(node) as KnowledgeNode;
        const { title, content, status, project_id, valid_to } = held;
        const then = { text: { title, content }, status, project_id, valid_to };
        rows.set(id, { ...NONE, id, kind: 'node', type, at, ...then });
      }
      const later = (await sql('memory_events')
        .whereIn('id', [...rows.keys()])
        .where((event) => event.where('created_at', '>', time).orWhere('occurred_at', '>', time))
        .pluck('id')) as string[];
      for (const id of later) rows.delete(id);
    }

    /** Records as they are, or were at the time that is asked for. */
    async function rowsThen(
      ids: readonly string[],
      { workspace_id, as_of }: Pick<Asked, 'workspace_id' | 'as_of'>,
    ): Promise<Map<string, Row>> {
      const rows = await rowsOf(sql, ids, workspace_id);
      if (as_of !== undefined) await asOf(rows, as_of);
      return rows;
    }

    return {
      async find(given, by) {
        const now = given.as_of === undefined ? clock.now() : new Date(given.as_of);
        const inUse = async (type?: string) => type && typeInUse(sql, given.workspace_id, type);
        const named = periodOf(given.query, now);
        const typeOfPeriod = await inUse(named?.type);
        const period = named && { ...named, ...(typeOfPeriod && { type: typeOfPeriod }) };
        const request = { ...given, query: period?.subject ?? given.query };
        const { workspace_id, kinds, event_types, node_types, as_of, limit, min_score, query } = request;
        const pool = event_types.length + node_types.length > 0 ? POOL_OF_TYPES : POOL;
        const { project_id, with_shared = false } = request;
        const beside = await besideIndex(request);
        const asIs = with_shared ? { query, workspace_id } : request;
        const ranking = await rankedIn(asIs, kinds, pool, by, beside.held);
        const isElsewhere = ({ project_id: of }: Row) =>
          with_shared && project_id !== undefined && of !== null && of !== project_id;
        let scores = new Map<string, Scored>(
          ranking.documents.map(({ id, score, scores: parts }) => [id, { score, parts }]),
        );
        const sessions = await placesOf(sql, [...scores.keys()], request);
        scores = withContext(scores, sessions);
        addByWords(scores, beside.scores);
        const ofPeriod = period?.isAlone ? await scoresOfPeriod(sql, request, period, scores) : undefined;
        const isOfPeriod = ofPeriod !== undefined && ofPeriod.size > 0;
        scores = isOfPeriod ? ofPeriod : bestOf(scores, Math.max(MAX_ROWS, pool));
        const isTyped = event_types.length + node_types.length > 0;
        const type = period || isTyped ? undefined : await inUse(typeAskedFor(query));
        if (type !== undefined) {
          await leaveOutClosed(sql, request, type, scores);
          const ofType = await scoresOfType(sql, request, { type, until: now.toISOString() }, scores);
          if (ofType.size > 0) scores = ofType;
        }
        const asked = {
          ...(kinds.includes('event') && { event: event_types }),
          ...(kinds.includes('node') && { node: node_types }),
        };
        if (!isOfPeriod) addByWords(scores, await scoresOfTypedTexts(sql, request, asked, ranking));
        const rows = await rowsOf(sql, [...scores.keys()], workspace_id);
        if (request.with_binding && !isOfPeriod)
          await raiseBinding(sql, request, scores, rows, {
            now,
            rowsOf: (ids) => rowsOf(sql, ids, workspace_id),
          });
        const found = rows.size;
        if (as_of !== undefined) await asOf(rows, as_of);
        else if (!isOfPeriod) await followSuccessors(sql, scores, rows, request, period);
        const types = { event: new Set(event_types), node: new Set(node_types) };
        const best = [...bestOf(scores, scores.size).keys()].flatMap((id) => rows.get(id) ?? []);
        const replaced = await replacementsOf(sql, workspace_id, best, {
          now,
          async rowsOf(ids) {
            const later = await rowsThen(ids, request);
            const isAsked = ({ kind, project_id: of }: Row) =>
              kinds.includes(kind) && (with_shared || project_id === undefined || of === project_id);
            return new Map([...later].filter(([, row]) => isAsked(row)));
          },
        });
        if (!isOfPeriod) raiseLater(replaced, scores, rows);
        const ranked = [...scores]
          .flatMap(([id, { score, parts }]) => {
            const row = rows.get(id);
            if (!row || isElsewhere(row) || (types[row.kind].size > 0 && !types[row.kind].has(row.type)))
              return [];
            const isOfTime = period && (isIn(period, row.at) || heldIn(period, row));
            const raised = isOfTime ? withPeriod(score) : score;
            const held = withValidity(request.by_recency ? withRecency(raised, row, now) : raised, row, now);
            return [{ row, parts, score: held }];
          })
          .filter(({ score }) => score > 0 && score >= min_score)
          .sort(
            (a, b) =>
              b.score - a.score ||
              (isOfPeriod ? Number(a.row.at < b.row.at) - Number(a.row.at > b.row.at) : 0) ||
              (a.row.id < b.row.id ? 1 : -1),
          );
        const varied = isOfPeriod ? ranked : await belowOthers(sql, withoutNoise(ranked));
        const hits = await withNamed(sql, query, varied, limit);
        const page = request.with_binding ? withBinding(hits, limit, now) : hits.slice(0, limit);
        const texts = await textsOf(
          sql,
          page.map(({ row }) => row).filter(({ text }) => !text),
        );
        const results = page.flatMap(({ row, parts, ...hit }): MemoryHit[] => {
          const { kind, id, type, at: occurred_at, status } = row;
          const { title, content } = row.text ?? texts.get(id) ?? {};
          if (title === undefined || content === undefined) return []; // deleted meanwhile
          const score = Number(hit.score.toPrecision(6));
          const shown = excerpt(content, query, request.content_max_chars);
          const perhaps_replaced_by = replaced.get(id)?.id ?? null;
          const stands = { occurred_at, status, validity: validityOf(row, now), perhaps_replaced_by };
          return [{ kind, id, type, title, ...shown, score, scores: parts, ...stands }];
        });
        const notes = periodNotes(period, isOfPeriod, hits);
        const isOfType = hits.some(({ row }) => row.type === type);
        if (type !== undefined && !isOfType) notes.push(typeNote(type));
        if (as_of !== undefined && hits.length === 0 && found > rows.size) notes.push(AS_OF_LATER);
        return {
          results,
          total: hits.length,
          index: ranking.index,
          warnings: isOfPeriod || isOfType ? notes : [...notes, ...ranking.warnings], // which are about words
          period: isOfPeriod ? period : undefined,
          type: isOfType ? type : undefined,
        };
      },

      async decisionIds(given, by) {
        const { subject = given.query } = periodOf(given.query, clock.now()) ?? {};
        const request = { ...given, query: subject };
        const ranking = await rankedIn(request, ['event', 'node'], POOL_OF_TYPES, by);
        const { documents, index } = ranking;
        const least = RELEVANT * (documents[0]?.score ?? 0);
        const near = documents.filter(({ score, scores }) => score >= least || (scores.keyword ?? 0) > 0);
        const found = new Map(
          near.map(({ id, score, scores: parts }): [string, Scored] => [id, { score, parts }]),
        );
        addByWords(found, (await besideIndex({ ...request, kinds: ['event', 'node'] })).scores);
        const types = { event: ['decision'], node: ['decision'] };
        addByWords(found, await scoresOfTypedTexts(sql, request, types, ranking));
        const { workspace_id, project_id, as_of } = request;
        const read = async (ids: readonly string[]) => {
          const rows = [...(await rowsThen(ids, request))];
          return new Map(rows.filter(([, row]) => project_id === undefined || row.project_id === project_id));
        };
        const rows = await read([...found.keys()]);
        const best = [...bestOf(found, found.size).keys()].flatMap((id) => rows.get(id) ?? []);
        const reads = { now: as_of === undefined ? clock.now() : new Date(as_of), rowsOf: read };
        raiseLater(await replacementsOf(sql, workspace_id, best, reads), found, rows);
        return { ids: [...bestOf(found, found.size).keys()], index };
      },
    };
  },
});
