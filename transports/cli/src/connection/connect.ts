import type { Command } from 'commander';
import { addDeploymentOptions, isLocal, type DeploymentOptions } from '../deployment.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { LINK_FILE } from '../ingest/project-link.js';
import { printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Connection } from './connection.js';
import { checkedUrl, DEFAULT_URL, givenUrl } from './address.js';
import { findCredential, readKey, type Credential } from './credentials.js';
import { httpConnection, serviceFault } from './http.js';
import { confirmService, rememberService } from './known-services.js';
import type { ActAs, localConnection } from './local.js';

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

/** For commands that read `.service-mcp.json`. */
export const YES_OPTION = [
  '--yes',
  `use the service named in ${LINK_FILE} even if you have no key for it`,
] as const;

/** The address that a folder's `.service-mcp.json` names; the person may not know it. */
interface Remembered {
  readonly url: string | undefined;
  /** Whether the person agrees to an address that they do not know. */
  readonly yes: boolean | undefined;
}

/**
 * Connects to the tools: over HTTP to the address given (option, environment, then `remembered`, which is confirmed), else
 * to the default address. Where none was given and nothing answers there, or a deployment is named by `--config` or
 * `--data`, the deployment is opened in this process. Throws a Failure that exits 2 when a given address does not answer.
 */
export async function connect(
  options: ConnectionOptions,
  invocation: Invocation,
  context: {
    /** Whether indexing runs in this process, where the deployment is opened in it. */
    readonly workers?: boolean;
    readonly remembered?: Remembered;
    /** True: a missing database is created, where the deployment is opened in this process. */
    readonly creates?: boolean;
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
  const { remembered } = context;
  const chosen = givenUrl(options);
  const given = local ? undefined : (chosen ?? remembered?.url);
  if (given !== undefined) {
    const url = checkedUrl(given);
    if (chosen === undefined) {
      await confirmService(url, remembered?.yes === true, terminal);
      terminal.note(`Using the service at ${url}, which ${LINK_FILE} of this folder names.`);
    }
    const fault = await serviceFault(url, signal);
    if (fault) throw fault;
    if (chosen !== undefined && remembered) await rememberService(url);
    return httpConnection(url, await credentialFor(url, options, terminal), signal, tellRetries(terminal));
  }
  if (!local && !(await serviceFault(DEFAULT_URL, signal))) {
    terminal.note(`Using the service at ${DEFAULT_URL}.`);
    const credential = await credentialFor(DEFAULT_URL, options, terminal);
    return httpConnection(DEFAULT_URL, credential, signal, tellRetries(terminal));
  }
  terminal.note(`${local ? 'Working' : `No service at ${DEFAULT_URL}: working`} in this process.`);
  const onCreate = context.creates ? terminal.write : undefined;
  return connectHere(options, { ...context, signal, ...(onCreate && { onCreate }) });
}

/** Says why a call is tried again, which takes up to a minute: once for each reason. */
function tellRetries({ say }: Terminal): (reason: string) => void {
  const told = new Set<string>();
  return (reason) => {
    if (!told.has(reason)) say(`${printable(reason)} Trying again.`);
    told.add(reason);
  };
}

/** Opens a deployment in this process. Its code is imported here, because other commands start faster without it. */
export async function connectHere(...request: Parameters<typeof localConnection>): Promise<Connection> {
  const local = await import('./local.js');
  return local.localConnection(...request);
}

/** The credential for a service, with warnings about the place it is from. */
export async function credentialFor(
  url: string,
  options: ServiceOptions,
  { warn }: Terminal,
): Promise<Credential | undefined> {
  const given = options.keyStdin ? await readKey(process.stdin) : undefined;
  const chosen = options.url !== undefined;
  return findCredential({ url, chosen, env: process.env, folder: process.cwd(), given, warn });
}
