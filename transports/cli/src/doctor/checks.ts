import type { Host, LoadedDeployment } from '@service-mcp/core/host';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { commandName } from '../command.js';
import { DEFAULT_URL, checkedUrl } from '../connection/address.js';
import { credentialFor, type ConnectionOptions } from '../connection/connect.js';
import { answersAt, httpConnection } from '../connection/http.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural } from '../terminal/format.js';

/** One line of `doctor`. `warn` is worth knowing and breaks nothing; `fail` keeps the service from working. */
export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly remedy?: string;
}

/** The launcher refuses other versions, so this tells which one it is. */
export function checkNode(): Finding {
  return { name: 'Node.js', status: 'ok', message: process.versions.node };
}

export function checkDeployment(deployment: LoadedDeployment): Finding {
  const plugins = deployment.plugins.map(({ id }) => id).join(', ');
  const transports = deployment.transports.map(({ id }) => id).join(', ');
  return { name: 'configuration', status: 'ok', message: `plugins ${plugins}; transports ${transports}` };
}

/** The data folder exists, or can be made, and can be written to. */
export async function checkDataFolder(folder: string): Promise<Finding> {
  const name = 'data folder';
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name, status: 'ok', message: folder };
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error';
    const remedy = 'Mend its permissions, or choose another with --data or SERVICE_DATA_DIR.';
    return { name, status: 'fail', message: `${folder} cannot be written to (${code})`, remedy };
  }
}

/** Reaches the database and brings it up to date, which `serve` would do too. */
export async function checkDatabase(deployment: LoadedDeployment): Promise<readonly Finding[]> {
  const { databaseOptions, migrateDeployment } = await import('@service-mcp/core/host');
  const { url, file } = databaseOptions(deployment);
  const engine = url === undefined ? 'embedded' : 'PostgreSQL';
  if (url === undefined) {
    const entries = await readdir(deployment.dataDir, { withFileTypes: true });
    const missing = !entries.some(({ name }) => name === basename(file));
    // Plugins keep folders here. To make an empty database beside them would hide the loss.
    if (missing && entries.some((entry) => entry.isDirectory())) {
      return [
        {
          name: 'database',
          status: 'fail',
          message: `${file} is missing, and the folder holds other data`,
          remedy:
            'Stop the service and restore that file; to begin anew, give an empty folder with --data or SERVICE_DATA_DIR.',
        },
      ];
    }
  }
  try {
    const applied = await migrateDeployment(deployment);
    const message = applied.length === 0 ? 'up to date' : `${plural(applied.length, 'step')} applied now`;
    return [
      { name: 'database', status: 'ok', message: `${engine}, answers` },
      { name: 'migrations', status: 'ok', message },
    ];
  } catch (thrown) {
    return [failure('database', thrown)];
  }
}

/** What the plugins say of their own parts, the index among them. */
export async function checkParts(host: Host): Promise<readonly Finding[]> {
  const statuses = { ok: 'ok', degraded: 'warn', failed: 'fail' } as const;
  const states: readonly { name: string; status: keyof typeof statuses; message: string; remedy?: string }[] =
    await host.health();
  return states.map(({ name, status, message, remedy }) => ({
    name,
    status: statuses[status],
    message,
    ...(remedy !== undefined && { remedy }),
  }));
}

/** A service that is not running is no fault: commands then work in their own process. */
export async function checkService(given: string | undefined, signal: AbortSignal): Promise<Finding> {
  const url = checkedUrl(given ?? DEFAULT_URL);
  const name = 'service';
  if (await answersAt(url, signal)) return { name, status: 'ok', message: `answers at ${url}` };
  const message = `does not answer at ${url}`;
  return given === undefined
    ? {
        name,
        status: 'warn',
        message,
        remedy: `Start it with: ${commandName()} serve (ingest and search work without it)`,
      }
    : { name, status: 'fail', message, remedy: 'Start it there, or change SERVICE_API_URL or --url.' };
}

/** Whether the service takes the key that commands would send. Nothing where it needs none and there is none. */
export async function checkKey(
  options: ConnectionOptions,
  { terminal, signal }: Invocation,
): Promise<readonly Finding[]> {
  const url = checkedUrl(options.url ?? (process.env['SERVICE_API_URL'] || DEFAULT_URL));
  const name = 'key';
  try {
    const credential = await credentialFor(url, true, options, terminal);
    await httpConnection(url, credential).tools('light', signal);
    return credential ? [{ name, status: 'ok', message: `that of ${credential.source} is good` }] : [];
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof Failure)) throw thrown;
    const { message, next } = thrown;
    return [{ name, status: 'warn', message, ...(next !== undefined && { remedy: next }) }];
  }
}

/** A thrown BootError as a finding: its message already says place and remedy. */
export function failure(name: string, thrown: unknown): Finding {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const [message = '', ...rest] = text.split('\n').map((line) => line.trim());
  const remedy = rest.join(' ');
  return { name, status: 'fail', message, ...(remedy !== '' && { remedy }) };
}
