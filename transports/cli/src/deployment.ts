import { InvalidArgumentError, type Command } from 'commander';
import type { LoadedDeployment } from '@service-mcp/core/host';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted } from './terminal/format.js';

/** The built-in deployment; deploy/hosted.json is the same. */
const DEFAULT_DEPLOYMENT = fileURLToPath(new URL('../default-deployment.json', import.meta.url));

/** The script of this command line, to start it again. */
export const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.url));

/** Options that choose a deployment, parsed by commander. */
export interface DeploymentOptions {
  readonly config?: string;
  readonly data?: string;
  readonly host?: string;
  readonly port?: number;
}

export function addDeploymentOptions(command: Command): Command {
  return command
    .option('--config <file>', 'deployment file (env SERVICE_CONFIG; default: the built-in one)', named)
    .option('--data <dir>', 'data folder (env SERVICE_DATA_DIR; default: ~/.local/share/service-mcp)', named);
}

/** The named options as arguments, for another process. */
export function flagsOf(
  options: DeploymentOptions,
  ...names: ReadonlyArray<keyof DeploymentOptions>
): string[] {
  return names.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, String(value)];
  });
}

/** Whether the options name a deployment to open in this process. */
export function isLocal({ config, data }: DeploymentOptions): boolean {
  return config !== undefined || data !== undefined;
}

/** The options as flags of a command: ` --config FILE --data DIR`. */
export function deploymentFlags(options: DeploymentOptions): string {
  return flagsOf(options, 'config', 'data')
    .map((word) => ` ${quoted(word)}`)
    .join('');
}

/** Reads the deployment that the options and the environment name. Throws BootError. */
export async function load(
  options: DeploymentOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LoadedDeployment> {
  const named = options.config ?? (process.env['SERVICE_CONFIG'] || undefined);
  return loadFile(named === undefined ? DEFAULT_DEPLOYMENT : resolve(named), options, env);
}

/** Reads a deployment file; options override its values. Throws BootError. */
export async function loadFile(
  file: string,
  { host, port, data }: DeploymentOptions,
  env: NodeJS.ProcessEnv,
): Promise<LoadedDeployment> {
  const { loadDeployment } = await import('@service-mcp/core/host');
  return withQuietConsole(() =>
    loadDeployment({
      file,
      env,
      // Packages are looked up beside the file first, then among those of this package.
      resolveFrom: fileURLToPath(import.meta.url),
      overrides: {
        ...(host !== undefined && { host }),
        ...(port !== undefined && { port }),
        ...(data !== undefined && { dataDir: resolve(data) }),
      },
    }),
  );
}

/** Packages of plugins may print while they load, and both streams are the command's. SERVICE_DEBUG shows it. */
async function withQuietConsole<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console;
  const debug = (...parts: unknown[]) => {
    if (process.env['SERVICE_DEBUG']) process.stderr.write(`${parts.map(String).join(' ')}\n`);
  };
  Object.assign(console, { info: debug, warn: debug });
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** The environment with another default for the level of the log. */
export function logging(level: 'silent' | 'warn'): NodeJS.ProcessEnv {
  return { SERVICE_LOG_LEVEL: level, ...process.env };
}

/** The environment of a server: on a terminal its log shows warnings only, so that the addresses stay in sight. */
export function serverEnv(): NodeJS.ProcessEnv {
  return process.stderr.isTTY ? logging('warn') : process.env;
}

/** For a repeatable option of commander. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Parses a path, for commander. An empty one, as of a variable that is not set, would be the current folder. */
function named(path: string): string {
  if (path === '') throw new InvalidArgumentError('Name it, or leave the option out for the default.');
  return path;
}

/** Parses a whole number from `min` on, for commander. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `between ${min} and ${max}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}
