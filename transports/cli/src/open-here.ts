import type { Host, LoadedDeployment } from '@service-mcp/core/host';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandName } from './command-name.js';
import { deploymentFlags, load, logging, type DeploymentOptions } from './deployment.js';
import { Failure } from './failure.js';
import { plural } from './terminal/format.js';

/**
 * Opens the deployment inside this process, without listening. Without `workers` nothing is indexed. A missing database
 * is created only for a caller with `onCreate`, which is told; else a Failure says how to create one. One of an
 * earlier version is brought up to date only with `upgrades`, as that version may be running over it.
 */
export async function openHere(
  options: DeploymentOptions,
  how: {
    readonly workers: boolean;
    readonly onCreate?: (line: string) => void;
    readonly upgrades?: boolean;
  },
): Promise<Host> {
  const { workers, onCreate } = how;
  const { hasDatabase, start } = await import('@service-mcp/core/host');
  // The log is for a service; a command reports its own failures.
  const deployment = await load(options, logging('silent'));
  await refuseLostDatabase(deployment);
  const isNew = !(await hasDatabase(deployment));
  if (isNew && !onCreate) throw await noDatabase(deployment, options);
  if (!isNew && !how.upgrades) await refusePending(deployment, options);
  const host = await start(deployment, { listen: false, workers, isService: workers });
  if (isNew) onCreate?.(await createdLine(deployment));
  return host;
}

async function refusePending(deployment: LoadedDeployment, options: DeploymentOptions): Promise<void> {
  const { upgradeSteps } = await import('@service-mcp/core/host');
  const steps = await upgradeSteps(deployment);
  if (steps.length === 0) return;
  const { message, remedy } = pendingNote(steps, options);
  throw new Failure(`${message}.`, { next: remedy });
}

/** What to say and to do about steps of this version that a database lacks. */
export function pendingNote(steps: readonly string[], options: DeploymentOptions) {
  const more = steps.length > 1 ? ', …' : '';
  return {
    message: `${plural(steps.length, 'step')} of this version not applied yet (${steps[0]}${more})`,
    remedy: `Stop the service and make a backup; then start it with this version, or run: ${commandName()} migrate${deploymentFlags(options)}`,
  };
}

/**
 * Throws a Failure where an embedded database would be opened in the folder of a deployment on PostgreSQL, that was started
 * without its DATABASE_URL, or is missing beside its indexes: an old or empty one in its place would look well.
 */
export async function refuseLostDatabase(deployment: LoadedDeployment): Promise<void> {
  const failure = await lostDatabase(deployment);
  if (failure) throw failure;
}

/** See {@link refuseLostDatabase}. */
export async function lostDatabase(deployment: LoadedDeployment): Promise<Failure | undefined> {
  const { databaseOptions, postgresMarker } = await import('@service-mcp/core/host');
  const { url, file } = databaseOptions(deployment);
  const { dataDir } = deployment;
  if (url !== undefined) return undefined;
  const marker = postgresMarker(dataDir);
  if (existsSync(marker))
    return new Failure(`${dataDir} is the data folder of a deployment on PostgreSQL.`, {
      next: `Set DATABASE_URL as for its service, or name another folder with --data or SERVICE_DATA_DIR. To use an embedded database in this one, delete ${marker}.`,
    });
  if (existsSync(file) || !existsSync(join(dataDir, 'lancedb'))) return undefined;
  return new Failure(`${file} is missing, and the folder holds the indexes of a database.`, {
    next: 'On PostgreSQL, set DATABASE_URL. Else stop the service and restore that file; to start over, give an empty folder with --data or SERVICE_DATA_DIR.',
  });
}

/** Says which database a command has created, for a person who may have meant another. */
export async function createdLine(deployment: LoadedDeployment): Promise<string> {
  const { databaseOptions } = await import('@service-mcp/core/host');
  const { url, file } = databaseOptions(deployment);
  return url === undefined
    ? `Made a new embedded database, ${file}. A service on PostgreSQL has another: set its DATABASE_URL here too.`
    : 'Made the tables of a new deployment in the database of DATABASE_URL.';
}

/** The failure of a command that needs an existing database. */
export async function noDatabase(deployment: LoadedDeployment, options: DeploymentOptions): Promise<Failure> {
  const { databaseOptions } = await import('@service-mcp/core/host');
  const make = `to make one, run: ${commandName()} migrate${deploymentFlags(options)} (serve and ingest make one too)`;
  if (databaseOptions(deployment).url !== undefined)
    return new Failure('The database of DATABASE_URL has no tables of this service.', {
      next: `Correct DATABASE_URL, or, ${make}`,
    });
  return new Failure(`There is no database in ${deployment.dataDir}.`, {
    next: `Name the folder of an existing one with --data or SERVICE_DATA_DIR, or its DATABASE_URL; ${make}`,
  });
}
