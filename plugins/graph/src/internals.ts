/** For the tests and benches of this repository only. */
export type * from './model.js';
export type { FileLinks } from './resolve/file-links.js';
export { rulesOf } from './resolve/languages/index.js';
export type * from './resolve/language-rules.js';
export type * from './resolve/modules.js';
export {
  resolveFiles,
  resolveProject,
  type ReadableFile,
  type ResolveFollower,
} from './resolve/resolve-project.js';
export { relatedText } from './knowledge/text.js';
export { ProjectGraph } from './query/project-graph.js';
export { ProjectGraphs } from './query/project-graphs.js';
export { isManifest } from './resolve/manifests.js';
export { RESOLVER } from './resolver.js';
export { graphStorage } from './storage.js';
export {
  createGraphTasks,
  type ParsedTexts,
  type ParseTask,
  type ResolveProject,
} from './services/thread/graph-tasks.js';
export { GraphThread } from './services/thread/graph-thread.js';
export { readPart } from './services/store/file-part.js';
export { pathsBetween, pathsToEnds } from './query/call-paths.js';
export { cyclesOf, cyclesThrough } from './query/cycles.js';
export { findDecorated } from './query/decorated.js';
export { dependenciesOf } from './query/dependencies.js';
export { withVersions } from './query/externals.js';
export { impactOf } from './query/impact.js';
export { functionsOfPackage } from './query/manifest-entries.js';
export { neighboursOf } from './query/neighbours.js';
export { findPackageEntries } from './query/package-entries.js';
export { totalsOf } from './query/ranked.js';
export { reach } from './query/reach.js';
export { kindMask } from './query/rows.js';
export { readSnippets } from './query/snippets.js';
export { queryTools } from './tools/query-tools.js';
