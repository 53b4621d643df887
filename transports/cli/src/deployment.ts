import { InvalidArgumentError, type Command } from 'commander';
import type { Host, LoadedDeployment } from '@service-mcp/core/host';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The deployment that is used where none is named; deploy/hosted.json is the same. */
const DEFAULT_DEPLOYMENT = fileURLToPath(new URL('../default-deployment.json', import.meta.url));

/** Options that choose a deployment, parsed by commander. */
export interface DeploymentOptions {
  readonly config?: string;
  readonly data?: string;
  readonly host?: string;
  readonly port?: number;
}

export function addDeploymentOptions(command: Command): Command {
  return command
    .option('--config <file>', 'deployment file (env SERVICE_CONFIG; default: the built-in one)')
    .option('--data <dir>', 'data folder (env SERVICE_DATA_DIR; default: ~/.local/share/service-mcp)');
}

/** Reads the deployment that the options and the environment name. Throws BootError. */
export async function load(
  options: DeploymentOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LoadedDeployment> {
  const named = options.config ?? (process.env['SERVICE_CONFIG'] || undefined);
  return loadFile(named === undefined ? DEFAULT_DEPLOYMENT : resolve(named), options, env);
}

/** Reads a deployment file, with what the options lay over it. Throws BootError. */
export async function loadFile(
  file: string,
  options: DeploymentOptions,
  env: NodeJS.ProcessEnv,
): Promise<LoadedDeployment> {
  const { loadDeployment } = await import('@service-mcp/core/host');
  return withoutChatter(() =>
    loadDeployment({
      file,
      env,
      // Packages are looked up beside the file first, then among those of this package.
      resolveFrom: fileURLToPath(import.meta.url),
      overrides: {
        ...(options.host !== undefined && { host: options.host }),
        ...(options.port !== undefined && { port: options.port }),
        ...(options.data !== undefined && { dataDir: resolve(options.data) }),
      },
    }),
  );
}

/** Packages of plugins may print while they are loaded; both streams are the command's. SERVICE_DEBUG shows it. */
async function withoutChatter<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console;
  const hush = (...parts: unknown[]) => {
    if (process.env['SERVICE_DEBUG']) process.stderr.write(`${parts.map(String).join(' ')}\n`);
  };
  Object.assign(console, { info: hush, warn: hush });
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** Opens the deployment inside this process, without listening. `workers: false` only reads. */
export async function openHere(options: DeploymentOptions, workers: boolean): Promise<Host> {
  const { start } = await import('@service-mcp/core/host');
  // The log belongs to a service; a command tells what fails itself.
  const env = { SERVICE_LOG_LEVEL: 'silent', ...process.env };
  return start(await load(options, env), { listen: false, workers });
}

/** Parses a whole number from `least` on, for commander. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `between ${least} and ${most}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}
