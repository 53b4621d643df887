export { BootError } from './boot-error.js';
export { coreSections } from './config.js';
export { CORE_EVENTS } from '../events/event-types.js';
export { startGateway, type Gateway } from './gateway.js';
export { start, type Host, type StartOptions } from './host.js';
export {
  assemble,
  databaseOptions,
  loadDeployment,
  type DeploymentFile,
  type LoadedDeployment,
  type LoadOptions,
} from './load.js';
export { migrateDeployment } from './migrate-deployment.js';
