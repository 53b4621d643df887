import type { Command } from 'commander';
import { commandName } from '../command.js';
import { addDeploymentOptions, type DeploymentOptions } from '../deployment.js';
import { EXIT, Failure } from '../failure.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Connection } from './connection.js';
import { findCredential } from './credentials.js';
import { answersAt, httpConnection } from './http.js';
import { localConnection } from './local.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface ConnectionOptions extends DeploymentOptions {
  readonly url?: string;
}

export function addConnectionOptions(command: Command): Command {
  return addDeploymentOptions(
    command.option(
      '--url <address>',
      `address of the service (env SERVICE_API_URL; default: ${DEFAULT_URL})`,
    ),
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
  },
): Promise<Connection> {
  const { terminal, signal } = context;
  const credential = findCredential(process.env);
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
    return httpConnection(url, credential);
  }
  if (!here && (await answersAt(DEFAULT_URL, signal))) {
    terminal.say(terminal.shade('dim', `Using the service at ${DEFAULT_URL}.`));
    return httpConnection(DEFAULT_URL, credential);
  }
  const why = here ? 'Working' : `No service at ${DEFAULT_URL}: working`;
  terminal.say(terminal.shade('dim', `${why} in this process.`));
  return localConnection(options, context.workers);
}

/** The address in one form: http or https, without credentials and without a slash at the end. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  }
  throw new Failure(`"${text}" is no address of a service.`, { next: `Give one like ${DEFAULT_URL}` });
}

function unreachable(url: string): Failure {
  return new Failure(`No service answers at ${url}.`, {
    exit: EXIT.unreachable,
    next: `Start it with: ${commandName()} serve   (or leave out --url and SERVICE_API_URL to work in this process)`,
  });
}
