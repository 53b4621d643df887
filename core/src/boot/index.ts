export { BootError } from './boot-error.js';
export { coreSections, readSections, refuseUnknownSections } from './config.js';
export { isOwnMachine } from './describe-deployment.js';
export { describeParts } from './describe-parts.js';
export { CORE_EVENTS } from '../events/event-types.js';
export { start, type Host, type StartOptions } from './host.js';
export type { SpawnWorker } from './worker-process.js';
export {
  assemble,
  databaseOptions,
  loadDeployment,
  ownVersion,
  type DeploymentFile,
  type LoadedDeployment,
  type LoadOptions,
} from './load.js';
export { copyDatabase } from './copy-database.js';
export { createLog } from './log.js';
export { MetricsRegistry } from './metrics-registry.js';
export {
  checkDeployment,
  formerPlugins,
  hasDatabase,
  migrateDeployment,
  pendingSteps,
  upgradeSteps,
} from './migrate-deployment.js';
export { mountHealth } from '../http/health.js';
export { openHttp } from './open-http.js';
export { readSettingsFile } from './settings-file.js';
export { findStrayVariables, warnOfStrayVariables, type StrayVariable } from './stray-variables.js';
export { outageRemedy } from '../storage/outages.js';
export { postgresMarker } from '../storage/postgres-marker.js';
export { makeDataFolder } from '../storage/private-folder.js';
export { createOrigins, overrideBinding } from './origins.js';
export { Validators } from '../call/validate.js';
