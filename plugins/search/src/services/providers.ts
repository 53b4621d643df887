import { join } from 'node:path';
import {
  Clock,
  contribute,
  Database,
  defineWorker,
  Deployment,
  HealthChecks,
  Leases,
  Log,
  Metrics,
  plural,
  provide,
  token,
  WORK_PENDING,
  WorkspaceData,
} from '@service-mcp/core';
import { Syntax } from '@service-mcp/plugin-syntax/contract';
import {
  FileChanges,
  FileConsumers,
  IndexHealth,
  IndexStatuses,
  ProjectData,
} from '@service-mcp/plugin-workspaces/contract';
import { searchConfig } from '../config.js';
import { Embedders, IndexSources, Search, type IndexSource } from '../contract.js';
import { createSpaceStore, eraseSpaces } from './embedding/space-store.js';
import { ProvidedVectors } from './embedding/provided-vectors.js';
import { openFormer, openProvider } from './embedding/providers/open-provider.js';
import { providerMetrics } from './embedding/providers/provider-metrics.js';
import { providerHealth, registerSpaceGauge } from './embedding/space-health.js';
import { Spaces } from './embedding/spaces.js';
import type { SpaceStore } from './embedding/space-store.js';
import { Trainer } from './embedding/trainer.js';
import { FILE_CONSUMER, fileSource } from './file-source.js';
import { noteDroppedProject, noteDroppedWorkspace } from './index/drops.js';
import { noteStrays } from './index/strays.js';
import { createGenerations, type Generations } from './index/generations.js';
import { createIndexCheck, type IndexCheck } from './index/health.js';
import {
  createIndexHome,
  FOREIGN_INDEX,
  FOREIGN_REMEDY,
  UNUSABLE_PLACE,
  UNUSABLE_REMEDY,
} from './index/index-home.js';
import { registerIndexGauges } from './index/gauges.js';
import { createUpkeep } from './index/upkeep.js';
import { Indexer } from './indexer.js';
import { defaultThreads, PreparationThreads } from './preparation/preparation-threads.js';
import { Matcher } from './query/matcher.js';
import { rebuild } from './repair.js';
import { createSearchEngine } from './search-engine.js';
import { createSegmentStore, eraseSegments } from './trigrams/segment-store.js';
import { TrigramIndex } from './trigrams/trigram-index.js';
import { waitingWorkspaces } from './waiting-documents.js';

/** The index of this process, with what fills it and what reads it. */
interface SearchIndex {
  readonly leases: Leases;
  readonly generations: Generations;
  readonly check: IndexCheck;
  readonly spaces: Spaces;
  readonly store: SpaceStore;
  readonly trainer: Trainer;
  readonly indexer: Indexer;
  readonly threads: PreparationThreads;
  readonly trigrams: TrigramIndex;
  readonly sources: readonly IndexSource[];
  /** Ends what goes on beside the calls. */
  readonly closing: AbortController;
}
const SearchIndex = token<SearchIndex>('search.Index');
const MatcherToken = token<Matcher>('search.Matcher');

export const services = [
  contribute(FileConsumers, { uses: {}, create: () => ({ name: FILE_CONSUMER }) }),
  contribute(IndexSources, {
    uses: { changes: FileChanges },
    create: ({ changes }) => fileSource(changes.for(FILE_CONSUMER)),
  }),
  provide(SearchIndex, {
    uses: {
      database: Database,
      clock: Clock,
      leases: Leases,
      deployment: Deployment,
      metrics: Metrics,
      log: Log,
      config: searchConfig.token,
      sources: IndexSources,
      syntax: Syntax,
    },
    async create({ database, clock, leases, deployment, metrics, log, config, sources, syntax }) {
      const measure = providerMetrics(metrics);
      const provider = await openProvider(config, deployment);
      const generations = createGenerations(
        database,
        clock,
        config.uri ?? join(deployment.dataDir, 'lancedb'),
      );
      const home = createIndexHome(database, generations, {
        uri: config.uri,
        moved: config.moved,
        log,
        dataDir: deployment.dataDir,
      });
      const closing = new AbortController();
      const check = createIndexCheck(generations, home, sources, log, (place, tables) => {
        // Beside the search that opened it; the next process looks again.
        noteStrays({ database, sources, log }, place, tables, closing.signal).catch((err: unknown) =>
          log.debug({ err }, 'an index was not compared'),
        );
      });
      registerIndexGauges(metrics, generations, check);
      const store = createSpaceStore(database, clock);
      registerSpaceGauge(metrics, store);
      const spaces = new Spaces({
        store,
        provider: provider && measure(provider),
        openFormer: async (description) => measure(await openFormer(description, config, deployment)),
        providerShare: config.embedding_share,
      });
      const provided = new ProvidedVectors(spaces, log);
      const quietMs = config.optimize_after_ms;
      const trigrams = new TrigramIndex(createSegmentStore(database), sources);
      const maintenance = { log, keepVersionsMs: 2 * config.query_timeout_ms };
      const upkeep = createUpkeep({ database, clock, leases, check, trigrams, maintenance, quietMs });
      const training = config.training && provider === undefined;
      const trainer = new Trainer({ leases, check, spaces, store, upkeep }, { ...config, training }, log);
      const threads = new PreparationThreads(config.indexing_threads ?? defaultThreads());
      const shared = { leases, generations, check, spaces, store, trainer, trigrams, sources, threads };
      return {
        ...shared,
        closing,
        indexer: new Indexer({ ...shared, provided, maintenance, upkeep, database, syntax, config, log }),
      };
    },
    async close({ closing, trainer, threads, generations }) {
      closing.abort();
      await trainer.close();
      await threads.close();
      await generations.close();
    },
  }),
  provide(MatcherToken, { uses: {}, create: () => new Matcher(), close: (matcher) => matcher.close() }),
  provide(Search, {
    uses: {
      index: SearchIndex,
      matcher: MatcherToken,
      statuses: IndexStatuses,
      syntax: Syntax,
      config: searchConfig.token,
    },
    create: ({ index, ...parts }) => createSearchEngine({ ...index, ...parts }),
  }),
  provide(Embedders, { uses: { index: SearchIndex }, create: ({ index }) => index.spaces }),
  contribute(WorkspaceData, {
    uses: {},
    create: (): WorkspaceData => ({
      async erase(sql, workspaceId) {
        await eraseSpaces(sql, { workspace_id: workspaceId });
        await eraseSegments(sql, workspaceId);
        await noteDroppedWorkspace(sql, workspaceId);
      },
    }),
  }),
  contribute(ProjectData, {
    uses: {},
    create: () => ({ erase: noteDroppedProject }),
  }),
  contribute(IndexHealth, { uses: { index: SearchIndex }, create: ({ index }) => index.check }),
  contribute(HealthChecks, {
    uses: { index: SearchIndex },
    create: ({ index }) => ({
      name: 'search index',
      async check(options) {
        if (await index.check.isForeign())
          return { status: 'failed', message: FOREIGN_INDEX, remedy: FOREIGN_REMEDY };
        if (!(await index.check.isUsable()))
          return { status: 'degraded', message: UNUSABLE_PLACE, remedy: UNUSABLE_REMEDY };
        const [first, ...more] = await index.check.damaged(options);
        if (!first) {
          // A repair that was stopped leaves a new index, and its documents to the service.
          const waiting = options?.thorough ? (await waitingWorkspaces(index.sources)).length : 0;
          const rest = `; documents of ${plural(waiting, 'workspace')} wait for the service, or the next ingest`;
          const message = `the index of every workspace is sound${waiting > 0 ? rest : ''}`;
          return { status: 'ok', message };
        }
        const [workspaceId, reason] = first;
        const others = more.length > 0 ? `; ${String(more.length)} more are damaged` : '';
        const message = `workspace ${workspaceId}: ${reason}${others}`;
        return { status: 'degraded', message, remedy: 'Run service-mcp doctor --repair' };
      },
      repair: (report: (line: string) => void, signal: AbortSignal) => rebuild(index, report, signal),
    }),
  }),
  contribute(HealthChecks, {
    uses: { index: SearchIndex },
    create: ({ index }) => providerHealth(index.spaces, index.store),
  }),
];

export const indexWorker = defineWorker({
  id: 'search.index',
  uses: { index: SearchIndex },
  everyMs: 500,
  wakeOn: [WORK_PENDING],
  apart: {
    hasWork: ({ index }) => index.indexer.hasWork(),
    runSmall: ({ index }, signal) => index.indexer.indexSmall(signal),
  },
  run: ({ index }, signal) => index.indexer.round(signal),
});
