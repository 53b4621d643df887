import type { Command } from 'commander';
import { commandName } from '../command.js';
import { addDeploymentOptions, type DeploymentOptions } from '../deployment.js';
import { EXIT, Failure } from '../failure.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Connection } from './connection.js';
import { DEFAULT_URL, checkedUrl } from './address.js';
import { findCredential, readKey, type Credential } from './credentials.js';
import { answersAt, httpConnection } from './http.js';
import { localConnection, type ActAs } from './local.js';

export interface ConnectionOptions extends DeploymentOptions {
  readonly url?: string;
  readonly keyStdin?: boolean;
}

export function addConnectionOptions(command: Command): Command {
  return addDeploymentOptions(
    command
      .option('--url <address>', `address of the service (env SERVICE_API_URL; default: ${DEFAULT_URL})`)
      .option('--key-stdin', 'read the API key from standard input (env SERVICE_API_KEY)'),
  );
}

/**
 * Opens the way to the tools: over HTTP to the address given (option, environment, then `remembered`), else to
 * the default address; where none was given and nothing answers there, or a deployment is named by `--config`
 * or `--data`, the deployment is opened in this process. Throws a Failure that exits 2 when an address given does not answer.
 */
export async function connect(
  options: ConnectionOptions,
  context: {
    readonly terminal: Terminal;
    readonly signal: AbortSignal;
    /** Whether indexing goes on in this process, where the deployment is opened in it. */
    readonly workers: boolean;
    /** The address kept in `.service-mcp.json`. */
    readonly remembered?: string | undefined;
    /** Whose calls they are, where the deployment is opened in this process. */
    readonly as?: ActAs;
  },
): Promise<Connection> {
  const { terminal, signal } = context;
  const here = options.config !== undefined || options.data !== undefined;
  if (here && options.url !== undefined) {
    throw new Failure('--url names a running service, --config and --data one to open in this process.', {
      next: 'Give one or the other.',
    });
  }
  const given = here ? undefined : (options.url ?? (process.env['SERVICE_API_URL'] || context.remembered));
  if (given !== undefined) {
    const url = checkedUrl(given);
    if (!(await answersAt(url, signal))) throw unreachable(url);
    const chosen = options.url !== undefined || !!process.env['SERVICE_API_URL'];
    return httpConnection(url, await credentialFor(url, chosen, options, terminal));
  }
  if (!here && (await answersAt(DEFAULT_URL, signal))) {
    terminal.say(terminal.shade('dim', `Using the service at ${DEFAULT_URL}.`));
    return httpConnection(DEFAULT_URL, await credentialFor(DEFAULT_URL, true, options, terminal));
  }
  const why = here ? 'Working' : `No service at ${DEFAULT_URL}: working`;
  terminal.say(terminal.shade('dim', `${why} in this process.`));
  return localConnection(options, context.workers, context.as);
}

/** The credential for a service, and warnings about where it lies. */
export async function credentialFor(
  url: string,
  chosen: boolean,
  options: ConnectionOptions,
  { warn }: Terminal,
): Promise<Credential | undefined> {
  const given = options.keyStdin ? await readKey(process.stdin) : undefined;
  return findCredential({ url, chosen, env: process.env, folder: process.cwd(), given, warn });
}

function unreachable(url: string): Failure {
  return new Failure(`No service answers at ${url}.`, {
    exit: EXIT.unreachable,
    next: `Start it with: ${commandName()} serve   (or leave out --url and SERVICE_API_URL to work in this process)`,
  });
}
