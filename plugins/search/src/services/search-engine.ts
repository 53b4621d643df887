import { FairQueue, ServiceError, invalidArgument, plural } from '@service-mcp/core';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';
import type { IndexState, IndexStatuses } from '@service-mcp/plugin-workspaces/contract';
import type { SearchConfig } from '../config.js';
import type { IndexSource, Search, SearchedBy } from '../contract.js';
import type { SearchMode } from '../schemas.js';
import type { Spaces } from './embedding/spaces.js';
import type { IndexCheck } from './index/health.js';
import { FILE_CONSUMER } from './file-source.js';
import { FOREIGN_INDEX } from './index/index-home.js';
import type { IndexTables } from './index/index-tables.js';
import { isRefusedExpression, isTimeout } from './index/lance.js';
import type { Matcher } from './query/matcher.js';
import { explainFilters } from './query/explain-filters.js';
import { RowCache } from './query/known-rows.js';
import { patternSearch } from './query/pattern-search.js';
import { rankedSearch } from './query/ranked-search.js';
import type { TrigramIndex } from './trigrams/trigram-index.js';
import { TextCache } from './query/text-cache.js';
import { settingsOf, type Found, type Settings } from './query/settings.js';

export interface SearchEngineParts {
  readonly sources: readonly IndexSource[];
  readonly check: IndexCheck;
  readonly statuses: IndexStatuses;
  readonly syntax: Pick<Syntax, 'languageNamed'>;
  readonly spaces: Spaces;
  readonly matcher: Matcher;
  readonly trigrams: TrigramIndex;
  readonly config: Pick<SearchConfig, 'query_timeout_ms' | 'pattern_timeout_ms' | 'waiting_per_user'>;
}

/**
 * Concurrent searches of all, and of one workspace or user, per kind: a long pattern must not delay the quick ones, nor
 * one tenant the others. The rest wait and take turns. LanceDB has no limit: fifty concurrent semantic searches took
 * 1.5 GB that it never released, and were not faster.
 */
const RANKED = { concurrency: 5, share: 4 };
const PATTERN = { concurrency: 3, share: 2 };

const TOO_SLOW =
  'The search took too long: narrow it by filters or project_id, or ask again when indexing is done.';
const NO_ANSWER = 'The search index did not answer: try again shortly.';

/** Warnings by the state of the index. */
const STATE_WARNINGS: Partial<Record<IndexState, string>> = {
  not_indexed: 'Nothing was ever ingested here: call files_ingest, or run service-mcp ingest DIR.',
  empty: 'Everything ingested here has since been deleted.',
  degraded:
    'The search index is damaged or missing and this answer is incomplete: the operator must run service-mcp doctor --repair.',
};

const FOREIGN =
  'The search index of this deployment lives elsewhere and this answer is incomplete: the operator must set LANCEDB_URI of this process to the address that the others use.';

const notIndexed = (files: number) =>
  `${plural(files, 'file')} could not be indexed, and may be missing here: files_list with indexing_status failed says why, projects_retry_index tries again.`;

const NOTHING: Found = { results: [], total: 0, total_is_lower_bound: false, warnings: [] };

/** The four modes, each over the generation of the workspace's index that SQL names. An unhealthy index gives an empty answer that says so. */
export function createSearchEngine({ check, statuses, config, ...parts }: SearchEngineParts): Search {
  const ranked = new FairQueue({ ...RANKED, waiting: config.waiting_per_user });
  const pattern = new FairQueue({ ...PATTERN, waiting: config.waiting_per_user });
  const texts = new TextCache(parts.sources);
  const rows = new RowCache();

  function run(
    mode: SearchMode,
    settings: Settings,
    tables: IndexTables | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Found> {
    if (mode === 'pattern')
      return patternSearch(
        settings,
        tables,
        { ...parts, texts, timeoutMs: config.pattern_timeout_ms },
        signal,
      );
    if (!tables) return Promise.resolve(NOTHING);
    return rankedSearch(
      mode,
      settings,
      tables,
      { ...parts, rows, timeoutMs: config.query_timeout_ms },
      signal,
    );
  }

  /** After a failed read the index is checked; if it is healthy (another generation is in use), the read is retried once. */
  async function find(mode: SearchMode, settings: Settings, signal: AbortSignal | undefined) {
    let health = await check.read(settings.workspace_id);
    for (let attempt = 1; health.healthy; attempt++) {
      try {
        return { found: await run(mode, settings, health.tables, signal), health };
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        signal?.throwIfAborted();
        if (isTimeout(error)) throw new ServiceError('DEADLINE_EXCEEDED', TOO_SLOW, { cause: error });
        if (isRefusedExpression(error))
          throw invalidArgument('/filters/path_glob', 'is too large for the index: write it shorter');
        if (attempt === 2 || !health.tables)
          throw new ServiceError('UNAVAILABLE', NO_ANSWER, { cause: error });
        health = await check.blame(error, health.place);
      }
    }
    return { found: { ...NOTHING, total_is_lower_bound: true }, health };
  }

  /**
   * The state of the index of a workspace or project: over files, whether or not other indexes have them, and over the
   * searched kinds that other plugins index.
   */
  async function glance({ workspace_id: workspaceId, project_id: projectId, kinds }: Settings) {
    const sources = parts.sources.filter((source) => source.kinds.some((kind) => kinds.includes(kind)));
    const others = await Promise.all(sources.map(async (source) => source.glance?.(workspaceId, projectId)));
    const files = await statuses.glance(workspaceId, projectId, FILE_CONSUMER);
    const pending = others.reduce((sum, other) => sum + (other?.pending ?? 0), files.pending);
    const searchesFiles = kinds.includes('code') || kinds.includes('doc');
    const failed = searchesFiles ? await statuses.failedFor(FILE_CONSUMER, workspaceId, projectId) : 0;
    const isNothing = files.state === 'not_indexed' || files.state === 'empty';
    let { state } = files;
    if (state !== 'degraded' && pending > 0) state = 'indexing';
    else if (isNothing && others.some((other) => other?.some)) state = 'ready';
    return { state, pending, failed };
  }

  /** An answer with the state of the index that gave it. */
  async function answer(mode: SearchMode, settings: Settings, { signal, caller }: SearchedBy = {}) {
    const queue = mode === 'pattern' ? pattern : ranked;
    const share = { workspaceId: settings.workspace_id, userId: caller?.userId };
    // The state is that before the search: what it calls indexed, the search has seen.
    const [{ state, pending, failed }, { found, health }] = await Promise.all([
      glance(settings),
      queue.run(share, () => find(mode, settings, signal), signal),
    ]);
    const shown = health.healthy ? state : 'degraded';
    const isForeign = !health.healthy && health.reason === FOREIGN_INDEX;
    const warning = isForeign ? FOREIGN : STATE_WARNINGS[shown];
    return {
      found,
      index: { state: shown, generation: health.generation, pending },
      warnings: [
        ...(warning === undefined ? [] : [warning]),
        ...(failed > 0 ? [notIndexed(failed)] : []),
        ...found.warnings,
      ],
      tables: health.healthy ? health.tables : undefined,
    };
  }

  /** Why an answer without results may have none. A fault of the index is told by the answer itself. */
  async function explain(settings: Settings, found: Found, tables: IndexTables | undefined) {
    if (found.total > 0 || !tables) return [];
    return explainFilters(settings, tables, config.query_timeout_ms).catch(() => []);
  }

  return {
    async search(mode, request, by) {
      const started = performance.now();
      const settings = settingsOf(request, parts);
      const { found, index, warnings, tables } = await answer(mode, settings, by);
      const { results, total, total_is_lower_bound, facets } = found;
      const more = total > settings.offset + results.length || total_is_lower_bound;
      return {
        mode,
        results,
        total,
        total_is_lower_bound,
        took_ms: Math.round(performance.now() - started),
        has_more: settings.output_format !== 'count' && results.length > 0 && more,
        ...(facets && { facets }),
        index,
        warnings: [...warnings, ...(await explain(settings, found, tables))],
      };
    },
    async rank(mode, request, by) {
      const { found, index, warnings } = await answer(mode, settingsOf(request, parts, true), by);
      const { documents = [], total_is_lower_bound } = found;
      return { documents, total_is_lower_bound, index, warnings };
    },
  };
}
