import {
  contribute,
  Database,
  defineWorker,
  Leases,
  Log,
  Metrics,
  provide,
  type Provider,
  token,
  WORK_PENDING,
  workspaceRows,
} from '@service-mcp/core';
import { Syntax } from '@service-mcp/plugin-syntax/contract';
import {
  FileChanges,
  FileConsumers,
  IndexStatuses,
  ProjectData,
  ProjectDirectory,
} from '@service-mcp/plugin-workspaces/contract';
import { graphConfig } from '../config.js';
import { ProjectGraphs } from '../query/project-graphs.js';
import { GraphLoader } from './graph-loader.js';
import { GraphIndexer } from './indexing/graph-indexer.js';
import { registerGraphGauges } from './metrics.js';
import { createGraphStore, emptyGraphs, eraseProject } from './store/graph-store.js';
import { createStructureStore } from './store/structures.js';
import { GraphThread } from './thread/graph-thread.js';

interface Graphs {
  readonly indexer: GraphIndexer;
  readonly loader: GraphLoader;
  readonly thread: GraphThread;
}
const Graphs = token<Graphs>('graph.Graphs');

/** What resolves a project, and where it runs. */
export interface Resolver {
  /** The module of the thread: it exports `createGraphTasks(resolveProject)`. */
  readonly worker: URL;
  /** Whether the text of a file goes to the resolver as a `Manifest`. */
  readonly isManifest: (path: string) => boolean;
}

/** The name under which `file_work` keeps what the graph has still to do. */
const CONSUMER = 'graph';
/** As long as the indexer process waits for work: the structures of the project that is edited stay loaded meanwhile. */
const IDLE_MS = 60_000;

export const graphServices = ({ worker, isManifest }: Resolver): Provider[] => [
  contribute(FileConsumers, {
    uses: {},
    create: () => ({ name: CONSUMER, forget: (sql) => emptyGraphs(sql) }),
  }),
  provide(Graphs, {
    uses: {
      database: Database,
      leases: Leases,
      log: Log,
      metrics: Metrics,
      config: graphConfig.token,
      changes: FileChanges,
      statuses: IndexStatuses,
      directory: ProjectDirectory,
      syntax: Syntax,
    },
    create({ database, leases, log, metrics, config, changes, statuses, directory, syntax }) {
      const graphs = createGraphStore(database, directory);
      const loader = new GraphLoader(graphs, statuses, changes.for(CONSUMER), config.cache_bytes);
      registerGraphGauges(metrics, graphs, loader);
      const thread = new GraphThread(worker, { heapMiB: config.thread_memory_mib, idleMs: IDLE_MS });
      const indexer = new GraphIndexer({
        leases,
        log,
        graphs,
        thread,
        isManifest,
        changes: changes.for(CONSUMER),
        structures: createStructureStore(database, directory),
        limits: {
          timeLimitMs: config.parse_timeout_ms,
          maxBytes: config.max_bytes,
          parseCode: syntax.limits.parseCode,
        },
        resolveTimeoutMs: config.resolve_timeout_ms,
      });
      return { indexer, loader, thread };
    },
    close: ({ thread }) => thread.close(),
  }),
  provide(ProjectGraphs, { uses: { graphs: Graphs }, create: ({ graphs }) => graphs.loader }),
  // Derived from the files, which are exported.
  workspaceRows([{ table: 'graph_files' }, { table: 'graph_structures' }, { table: 'graph_projects' }]),
  contribute(ProjectData, { uses: {}, create: () => ({ erase: eraseProject }) }),
];

export const graphWorker = defineWorker({
  id: 'graph.index',
  uses: { graphs: Graphs },
  everyMs: 500,
  wakeOn: [WORK_PENDING],
  apart: { hasWork: ({ graphs }) => graphs.indexer.hasWork() },
  run: ({ graphs }, signal) => graphs.indexer.round(signal),
});
