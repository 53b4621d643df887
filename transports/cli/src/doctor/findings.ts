import type { Host, LoadedDeployment } from '@service-mcp/core/host';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { commandName } from '../command-name.js';
import { chosenUrl, givenUrl } from '../connection/address.js';
import { credentialFor, type ConnectionOptions } from '../connection/connect.js';
import { answersAt, httpConnection } from '../connection/http.js';
import { Failure, fromLines, systemCode } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural } from '../terminal/format.js';

/** One line of `doctor`. The service works with a `warn`, and not with a `fail`. */
export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly remedy?: string;
}

/** The launcher refuses other versions: this shows which one runs. */
export function checkNode(): Finding {
  return { name: 'Node.js', status: 'ok', message: process.versions.node };
}

export function checkDeployment({ plugins, transports }: LoadedDeployment): Finding {
  const ids = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id).join(', ');
  const message = `plugins ${ids(plugins)}; transports ${ids(transports)}`;
  return { name: 'configuration', status: 'ok', message };
}

/** The data folder exists, or can be made, and is writable. */
export async function checkDataFolder(folder: string): Promise<Finding> {
  const name = 'data folder';
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name, status: 'ok', message: folder };
  } catch (thrown) {
    const message = `${folder} cannot be written to (${systemCode(thrown) ?? 'unknown error'})`;
    const remedy = 'Fix its permissions, or choose another with --data or SERVICE_DATA_DIR.';
    return { name, status: 'fail', message, remedy };
  }
}

/** Connects to the database and brings it up to date, as `serve` does. */
export async function checkDatabase(deployment: LoadedDeployment): Promise<readonly Finding[]> {
  const { databaseOptions, migrateDeployment } = await import('@service-mcp/core/host');
  const { url, file } = databaseOptions(deployment);
  const engine = url === undefined ? 'embedded' : 'PostgreSQL';
  const name = 'database';
  if (url === undefined) {
    const entries = await readdir(deployment.dataDir, { withFileTypes: true });
    const missing = !entries.some((entry) => entry.name === basename(file));
    // Plugins keep folders here: an empty database made beside them would hide the loss.
    if (missing && entries.some((entry) => entry.isDirectory())) {
      const message = `${file} is missing, and the folder holds other data`;
      const remedy =
        'Stop the service and restore that file; to begin anew, give an empty folder with --data or SERVICE_DATA_DIR.';
      return [{ name, status: 'fail', message, remedy }];
    }
  }
  try {
    const applied = await migrateDeployment(deployment);
    const message = applied.length === 0 ? 'up to date' : `${plural(applied.length, 'step')} applied now`;
    return [
      { name, status: 'ok', message: `${engine}, answers` },
      { name: 'migrations', status: 'ok', message },
    ];
  } catch (thrown) {
    return [failure(name, thrown)];
  }
}

const STATUSES = { ok: 'ok', degraded: 'warn', failed: 'fail' } as const;

/** The state of the plugins' own parts, the index among them. */
export async function checkParts(host: Host): Promise<readonly Finding[]> {
  const states = await host.health();
  return states.map((state) => ({ ...state, status: STATUSES[state.status] }));
}

/** Warns where the default service is not running, since commands then work in their own process. */
export async function checkService(options: ConnectionOptions, signal: AbortSignal): Promise<Finding> {
  const url = chosenUrl(options);
  const name = 'service';
  if (await answersAt(url, signal)) return { name, status: 'ok', message: `answers at ${url}` };
  const message = `does not answer at ${url}`;
  if (givenUrl(options) !== undefined)
    return { name, status: 'fail', message, remedy: 'Start it there, or change SERVICE_API_URL or --url.' };
  const remedy = `Start it with: ${commandName()} serve (ingest and search work without it)`;
  return { name, status: 'warn', message, remedy };
}

/** Whether the service accepts the key that commands would send. Nothing where there is none and none is needed. */
export async function checkKey(
  options: ConnectionOptions,
  { terminal, signal }: Invocation,
): Promise<readonly Finding[]> {
  const url = chosenUrl(options);
  const name = 'key';
  try {
    const credential = await credentialFor(url, options, terminal);
    await httpConnection(url, credential).tools('light', signal);
    return credential ? [{ name, status: 'ok', message: `that of ${credential.source} is valid` }] : [];
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof Failure) return [fromFailure(name, 'warn', thrown)];
    throw thrown;
  }
}

/** A thrown BootError as a finding: its message already says place and remedy. */
export function failure(name: string, thrown: unknown): Finding {
  return fromFailure(name, 'fail', fromLines(thrown));
}

function fromFailure(name: string, status: 'warn' | 'fail', { message, next: remedy }: Failure): Finding {
  return { name, status, message, ...(remedy !== undefined && { remedy }) };
}
