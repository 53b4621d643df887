import type { Plugin } from '../plugin.js';
import { CallUsage } from '../call-usage.js';
import { FormerPlugins } from '../former-plugins.js';
import { createFormerPlugins } from '../storage/migrate.js';
import { Events } from '../change-events.js';
import { Database } from '../database.js';
import { Log } from '../log.js';
import { Clock, Deployment, Leases, RateLimits, RegistryView, SchemaChecks } from '../services.js';
import type { Instance } from '../call/container.js';
import { eventsOf } from '../events/event-types.js';
import { schemaChecks, type Validators } from '../call/validate.js';
import { Metrics } from '../metrics.js';
import { metricsOf, type MetricsRegistry } from './metrics-registry.js';
import type { Registry } from './registry.js';
import { Seal } from '../seal.js';

/** What core itself provides to plugins. */
export function ownInstances(own: {
  log: Log;
  clock: Clock;
  database: Database;
  events: Events;
  metrics: MetricsRegistry;
  deployment: Deployment;
  registry: Registry;
  plugins: readonly Plugin[];
  rateLimits: RateLimits;
  leases: Leases;
  seal: Seal;
  usage: CallUsage;
  validators: Validators;
}): Instance[] {
  return [
    { target: Log, value: own.log },
    { target: Clock, value: own.clock },
    { target: SchemaChecks, value: schemaChecks(own.validators) },
    { target: Database, value: own.database },
    { target: Events, value: own.events, forPlugin: (id) => eventsOf(own.plugins, own.events, id) },
    { target: Metrics, ...metricsOf(own.metrics) },
    { target: Deployment, value: own.deployment },
    { target: RegistryView, value: own.registry },
    { target: RateLimits, value: own.rateLimits },
    { target: Leases, value: own.leases },
    { target: Seal, value: own.seal },
    { target: CallUsage, value: own.usage },
    { target: FormerPlugins, value: createFormerPlugins(own.plugins) },
  ];
}
