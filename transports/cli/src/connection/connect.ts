import type { Command } from 'commander';
import { addDeploymentOptions, isLocal, type DeploymentOptions } from '../deployment.js';
import { EXIT, Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Connection } from './connection.js';
import { checkedUrl, DEFAULT_URL, givenUrl } from './address.js';
import { findCredential, readKey, type Credential } from './credentials.js';
import { answersAt, httpConnection } from './http.js';
import type { ActAs, localConnection } from './local.js';
import { startHint } from './remedy.js';

export interface ServiceOptions {
  readonly url?: string;
  readonly keyStdin?: boolean;
}

export interface ConnectionOptions extends DeploymentOptions, ServiceOptions {}

/** Options that choose a running service and the key for it. */
export function addServiceOptions(command: Command): Command {
  return command
    .option('--url <address>', `address of the service (env SERVICE_API_URL; default: ${DEFAULT_URL})`)
    .option('--key-stdin', 'read the API key from standard input (env SERVICE_API_KEY)');
}

export function addConnectionOptions(command: Command): Command {
  return addDeploymentOptions(addServiceOptions(command));
}

/**
 * Connects to the tools: over HTTP to the address given (option, environment, then `remembered`), else to the default
 * address. Where none was given and nothing answers there, or a deployment is named by `--config` or `--data`, the
 * deployment is opened in this process. Throws a Failure that exits 2 when a given address does not answer.
 */
export async function connect(
  options: ConnectionOptions,
  invocation: Invocation,
  context: {
    /** Whether indexing runs in this process, where the deployment is opened in it. */
    readonly workers?: boolean;
    /** The address kept in `.service-mcp.json`. */
    readonly remembered?: string | undefined;
    /** The caller, where the deployment is opened in this process. */
    readonly as?: ActAs;
  } = {},
): Promise<Connection> {
  const { terminal, signal } = invocation;
  const local = isLocal(options);
  if (local && options.url !== undefined) {
    throw new Failure('--url names a running service, --config and --data one to open in this process.', {
      next: 'Give one or the other.',
    });
  }
  const chosen = givenUrl(options);
  const given = local ? undefined : (chosen ?? context.remembered);
  if (given !== undefined) {
    const url = checkedUrl(given);
    if (await answersAt(url, signal))
      return httpConnection(url, await credentialFor(url, options, terminal, chosen !== undefined), signal);
    throw new Failure(`No service answers at ${url}.`, {
      exit: EXIT.unreachable,
      next: startHint('leave out --url and SERVICE_API_URL to work in this process'),
    });
  }
  if (!local && (await answersAt(DEFAULT_URL, signal))) {
    terminal.note(`Using the service at ${DEFAULT_URL}.`);
    return httpConnection(DEFAULT_URL, await credentialFor(DEFAULT_URL, options, terminal), signal);
  }
  terminal.note(`${local ? 'Working' : `No service at ${DEFAULT_URL}: working`} in this process.`);
  return connectHere(options, { ...context, signal });
}

/** Opens a deployment in this process. Its code is imported here, because other commands start faster without it. */
export async function connectHere(...request: Parameters<typeof localConnection>): Promise<Connection> {
  const local = await import('./local.js');
  return local.localConnection(...request);
}

/** The credential for a service, with warnings about the place it is from. `chosen`: the person named the address. */
export async function credentialFor(
  url: string,
  options: ServiceOptions,
  { warn }: Terminal,
  chosen = true,
): Promise<Credential | undefined> {
  const given = options.keyStdin ? await readKey(process.stdin) : undefined;
  return findCredential({ url, chosen, env: process.env, folder: process.cwd(), given, warn });
}
