import { join } from 'node:path';
import {
  Clock,
  contribute,
  Database,
  defineWorker,
  Deployment,
  HealthChecks,
  Log,
  Metrics,
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
import { Embedders, IndexSources, Search } from '../contract.js';
import { SpaceStore } from './embedding/space-store.js';
import { Spaces } from './embedding/spaces.js';
import { Trainer } from './embedding/trainer.js';
import { fileSource } from './file-source.js';
import { noteDrop } from './index/drops.js';
import { Generations } from './index/generations.js';
import { IndexCheck } from './index/health.js';
import { registerIndexGauges } from './index/gauges.js';
import { Maintenance } from './index/maintenance.js';
import { Indexer } from './indexer.js';
import { Matcher } from './query/matcher.js';
import { rebuild } from './repair.js';
import { SearchEngine } from './search-engine.js';

const GenerationsToken = token<Generations>('search.Generations');
const IndexCheckToken = token<IndexCheck>('search.IndexCheck');
const SpacesToken = token<Spaces>('search.Spaces');
const SpaceStoreToken = token<SpaceStore>('search.SpaceStore');
const IndexGauges = token<object>('search.IndexGauges');
const MatcherToken = token<Matcher>('search.Matcher');
const TrainerToken = token<Trainer>('search.Trainer');
export const IndexerToken = token<Indexer>('search.Indexer');

/** The name under which `file_work` keeps what search has still to do. */
const CONSUMER = 'search';

export const services = [
  contribute(FileConsumers, { uses: {}, create: () => ({ name: CONSUMER }) }),
  contribute(IndexSources, {
    uses: { changes: FileChanges },
    create: ({ changes }) => fileSource(changes.for(CONSUMER)),
  }),
  provide(GenerationsToken, {
    uses: { database: Database, clock: Clock, deployment: Deployment, config: searchConfig.token },
    create: ({ database, clock, deployment, config }) =>
      new Generations(database, clock, config.uri ?? join(deployment.dataDir, 'lancedb')),
    close: (generations) => generations.close(),
  }),
  provide(IndexCheckToken, {
    uses: { generations: GenerationsToken, sources: IndexSources, log: Log },
    create: ({ generations, sources, log }) => new IndexCheck(generations, sources, log),
  }),
  provide(SpaceStoreToken, {
    uses: { database: Database, clock: Clock },
    create: ({ database, clock }) => new SpaceStore(database, clock),
  }),
  contribute(WorkspaceData, {
    uses: { store: SpaceStoreToken },
    create: ({ store }): WorkspaceData => ({
      async erase(sql, workspaceId) {
        await store.erase(sql, workspaceId);
        await noteDrop(sql, 'workspace', workspaceId);
      },
    }),
  }),
  contribute(ProjectData, {
    uses: {},
    create: () => ({ erase: (sql, projectId) => noteDrop(sql, 'project', projectId) }),
  }),
  provide(SpacesToken, { uses: { store: SpaceStoreToken }, create: ({ store }) => new Spaces(store) }),
  provide(Embedders, { uses: { spaces: SpacesToken }, create: ({ spaces }) => spaces }),
  provide(TrainerToken, {
    uses: { spaces: SpacesToken, store: SpaceStoreToken, config: searchConfig.token, log: Log },
    create: ({ spaces, store, config, log }) =>
      new Trainer(
        spaces,
        store,
        {
          enabled: config.training,
          minChunks: config.training_min_chunks,
          maxChunks: config.training_max_chunks,
          maxTerms: config.training_max_terms,
        },
        log,
      ),
    close: (trainer) => trainer.close(),
  }),
  provide(IndexerToken, {
    uses: {
      sources: IndexSources,
      syntax: Syntax,
      check: IndexCheckToken,
      generations: GenerationsToken,
      spaces: SpacesToken,
      trainer: TrainerToken,
      config: searchConfig.token,
      database: Database,
      log: Log,
    },
    create: ({ config, log, ...parts }) =>
      new Indexer({
        ...parts,
        log,
        maintenance: new Maintenance(config.optimize_after_ms, log),
        batchDocuments: config.batch_documents,
        batchBytes: config.batch_bytes,
      }),
  }),
  provide(MatcherToken, {
    uses: {},
    create: () => new Matcher(),
    close: (matcher) => matcher.close(),
  }),
  provide(Search, {
    uses: {
      matcher: MatcherToken,
      sources: IndexSources,
      check: IndexCheckToken,
      statuses: IndexStatuses,
      spaces: SpacesToken,
      config: searchConfig.token,
      log: Log,
    },
    create: ({ config, ...parts }) =>
      new SearchEngine({
        ...parts,
        queryTimeoutMs: config.query_timeout_ms,
        patternTimeoutMs: config.pattern_timeout_ms,
      }),
  }),
  provide(IndexGauges, {
    uses: { check: IndexCheckToken, metrics: Metrics },
    create: ({ check, metrics }) => registerIndexGauges(metrics, check),
  }),
  contribute(IndexHealth, {
    uses: { check: IndexCheckToken },
    create: ({ check }) => ({
      async read() {
        const { healthy, generation } = await check.read();
        return { healthy, generation };
      },
    }),
  }),
  contribute(HealthChecks, {
    uses: {
      check: IndexCheckToken,
      generations: GenerationsToken,
      indexer: IndexerToken,
      sources: IndexSources,
    },
    create: ({ check, ...parts }) => ({
      name: 'search index',
      async check() {
        const health = await check.read();
        return health.healthy
          ? { status: 'ok', message: `generation ${String(health.generation)} is in use` }
          : { status: 'degraded', message: health.reason, remedy: 'run service-mcp doctor --repair' };
      },
      repair: (report: (line: string) => void, signal: AbortSignal) => rebuild(parts, report, signal),
    }),
  }),
];

export const indexWorker = defineWorker({
  id: 'search.index',
  uses: { indexer: IndexerToken },
  everyMs: 500,
  wakeOn: [WORK_PENDING],
  exclusive: true,
  run: ({ indexer }, signal) => indexer.round(signal),
});
