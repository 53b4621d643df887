import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import satisfies from 'semver/functions/satisfies.js';
import type { Static, TObject } from 'typebox';
import { API_VERSION, type Config, type Plugin } from '../plugin.js';
import type { Transport } from '../transport.js';
import { BootError, faultOf } from './boot-error.js';
import { dataFolder } from './data-folder.js';
import { overrideBinding } from './origins.js';
import { readSettingsFile } from './settings-file.js';
import { findStrayVariables, refuseOwnVariables, type StrayVariable } from './stray-variables.js';
import { coreSections, readSection, readSections, refuseUnknownSections, type CoreConfig } from './config.js';
import type { DatabaseOptions } from '../storage/database.js';
import { Validators } from '../call/validate.js';

/** The content of a deployment file; every further key is the section of a plugin or transport by its id. */
export interface DeploymentFile {
  /** npm package names, or paths relative to the file that start with `./` or `/`. */
  readonly plugins: readonly string[];
  readonly transports: readonly string[];
  readonly [section: string]: unknown;
}

/** A deployment whose packages are imported and whose every setting is checked. Nothing is started. */
export interface LoadedDeployment {
  /** In order: each after what it requires. */
  readonly plugins: readonly Plugin[];
  readonly transports: readonly Transport[];
  readonly config: CoreConfig;
  /** Values by the key of the section's token. */
  readonly sections: ReadonlyMap<Config, Static<TObject>>;
  readonly dataDir: string;
  /** Whether the command line says where the service is bound. */
  readonly isBindingGiven: boolean;
  readonly version: string;
  /** Folder of a plugin as a URL prefix, by its id; of plugins that were imported by name alone. */
  readonly folders: ReadonlyMap<string, string>;
  /** Paths of the files that plugins and transports were imported from. */
  readonly entries: readonly string[];
  readonly validators: Validators;
  /** Variables of the environment that look like settings and that nothing reads. */
  readonly strayVariables: readonly StrayVariable[];
  /** See `Deployment`. */
  readonly packagesFrom: readonly string[];
}

export interface LoadOptions {
  /** Path of a deployment file (JSON). */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  /** Set by the command line, over file and environment. */
  readonly overrides?: { readonly host?: string; readonly port?: number; readonly dataDir?: string };
  /** A second place to look package names up, besides the folder of the file, as a file path. */
  readonly resolveFrom?: string;
}

/** A query may take a little longer than a call; background work has queries even where calls are short. */
const QUERY_MARGIN_MS = 1_000;
const MIN_QUERY_MS = 10_000;
const OWN_KEYS = ['plugins', 'transports', ...Object.keys(coreSections)];
const require = createRequire(import.meta.url);

/** Reads a deployment file, imports what it names and checks every key. Throws BootError. */
export async function loadDeployment(options: LoadOptions): Promise<LoadedDeployment> {
  const path = resolve(options.file);
  const file = await readDeploymentFile(path);
  const from = [path, ...(options.resolveFrom === undefined ? [] : [options.resolveFrom])];
  const plugins: Plugin[] = [];
  const entries: string[] = [];
  for (const name of file.plugins) {
    const { value, entry } = await importDefault<Plugin>(name, 'plugins', from);
    plugins.push(value);
    entries.push(entry);
  }
  const transports: Transport[] = [];
  for (const name of file.transports) {
    const { value, entry } = await importDefault<Transport>(name, 'transports', from);
    transports.push(value);
    entries.push(entry);
  }
  return {
    ...assemble(file, plugins, transports, options.env, options.overrides),
    folders: new Map(plugins.map(({ id }, at) => [id, prefixOf(entries[at] ?? '', entries)])),
    entries,
    packagesFrom: from,
  };
}

/** The same from values in hand instead of package names; tests and embedders use it. */
export function assemble(
  file: Readonly<Record<string, unknown>>,
  plugins: readonly Plugin[],
  transports: readonly Transport[],
  env: NodeJS.ProcessEnv,
  overrides: LoadOptions['overrides'] = {},
): LoadedDeployment {
  for (const part of [...plugins, ...transports]) {
    refuseForeignApi(part);
    refuseOwnId(part);
  }
  refuseTwins(plugins, 'plugins');
  refuseTwins(transports, 'transports');
  const configured = [...plugins, ...transports];
  refuseUnknownSections(
    file,
    [...OWN_KEYS, ...configured.map(({ id }) => id)],
    'Take it out, or enable the plugin or transport that has it.',
  );
  const part = configured.find(({ id, config }) => id in file && !config);
  if (part)
    throw new BootError(
      `"${part.id}" in the deployment file`,
      `${part.id} has no settings`,
      'Take the section out.',
    );
  const validators = new Validators();
  const core: CoreConfig = readSections(coreSections, file, env, validators);
  const sections = new Map<Config, Static<TObject>>();
  for (const { id, config } of configured) {
    if (!config) continue;
    refuseOwnVariables(id, config.schema);
    sections.set(config, readSection(id, config.schema, file[id], env, validators));
  }
  return {
    plugins: inOrderOfRequires(plugins),
    transports,
    config: { ...core, server: overrideBinding(core.server, overrides) },
    sections,
    dataDir: dataFolder(overrides.dataDir, core.storage.data_dir, env),
    isBindingGiven: overrides.host !== undefined || overrides.port !== undefined,
    version: ownVersion(),
    validators,
    strayVariables: findStrayVariables(env, [
      ...Object.values(coreSections),
      ...configured.flatMap(({ config }) => (config ? [config.schema] : [])),
    ]),
    folders: new Map(),
    entries: [],
    packagesFrom: [],
  };
}

/** The version of core, which every package of a release has. */
export function ownVersion(): string {
  return (require('../../package.json') as { version: string }).version;
}

async function readDeploymentFile(path: string): Promise<DeploymentFile> {
  const file = await readSettingsFile(path);
  for (const key of ['plugins', 'transports']) {
    const names = file[key];
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) {
      throw new BootError(
        `"${key}" in deployment file ${path}`,
        'it is not a list of package names',
        `Write "${key}": ["…"], or start from a copy of deploy/hosted.json, which lists them all.`,
      );
    }
  }
  return file as DeploymentFile;
}

async function importDefault<T extends { id: string; api: string }>(
  name: string,
  key: string,
  from: readonly string[],
): Promise<{ readonly value: T; readonly entry: string }> {
  const place = `${key}: "${name}" in the deployment file`;
  const entry = locate(name, from);
  if (entry === undefined) {
    throw new BootError(
      place,
      'there is no such package',
      `Install it (npm install ${name}) beside the deployment file, or take it out.`,
    );
  }
  let module: { default?: Partial<T> & Partial<Pick<Plugin, 'requires'>> };
  try {
    module = (await import(pathToFileURL(entry).href)) as { default?: Partial<T> };
  } catch (error) {
    throw new BootError(
      place,
      `it fails on import: ${faultOf(error)}`,
      // Node keeps the line of such an error for its own report.
      error instanceof SyntaxError
        ? `Find the line with: node ${entry}. Then fix or reinstall the package.`
        : 'Fix or reinstall the package.',
      error,
    );
  }
  const value = module.default;
  const isMade = key !== 'plugins' || Array.isArray(value?.requires); // definePlugin fills in the lists
  if (typeof value?.id !== 'string' || typeof value.api !== 'string' || !isMade) {
    throw new BootError(
      place,
      'its default export is not a definePlugin(…) or defineTransport(…) value',
      `Write there: export default ${key === 'plugins' ? 'definePlugin' : 'defineTransport'}({ … }). Or name another package.`,
    );
  }
  return { value: value as T, entry };
}

/** The URL prefix of the files of a plugin: the folder of its entry file, or that file where others lie beside it. */
function prefixOf(entry: string, entries: readonly string[]): string {
  const folder = dirname(entry);
  const isAlone = entries.filter((each) => dirname(each) === folder).length === 1;
  return pathToFileURL(isAlone ? `${folder}${sep}` : entry).href;
}

/** The entry file of a package by its own `exports`, looked up from several places. */
function locate(name: string, from: readonly string[]): string | undefined {
  for (const place of from) {
    if (/^[./]/.test(name)) return resolve(dirname(place), name);
    try {
      return createRequire(place).resolve(name);
    } catch {
      // look in the next place
    }
  }
  return undefined;
}

function refuseForeignApi({ id, api }: { id: string; api: string }): void {
  if (!satisfies(API_VERSION, api)) {
    throw new BootError(
      `"${id}"`,
      `it speaks contract ${api}; this core speaks ${API_VERSION}`,
      'Install a version of it made for this core.',
    );
  }
}

function refuseOwnId({ id }: { id: string }): void {
  if (id !== 'core' && !OWN_KEYS.includes(id)) return;
  throw new BootError(
    `"${id}"`,
    'this id is the name of something of the service itself',
    'Take it out of the deployment file. As its author: give it another id.',
  );
}

function refuseTwins(parts: ReadonlyArray<{ id: string }>, key: string): void {
  const seen = new Set<string>();
  for (const { id } of parts) {
    if (seen.has(id))
      throw new BootError(`${key} in the deployment file`, `"${id}" is there twice`, 'Take one out.');
    seen.add(id);
  }
}

function inOrderOfRequires(plugins: readonly Plugin[]): Plugin[] {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const ordered = new Set<Plugin>();
  const visit = (plugin: Plugin, path: readonly string[]): void => {
    if (ordered.has(plugin)) return;
    if (path.includes(plugin.id)) {
      throw new BootError(
        `plugin ${plugin.id}`,
        `it requires itself: ${[...path, plugin.id].join(' → ')}`,
        'Break the circle.',
      );
    }
    for (const id of plugin.requires) {
      const needed = byId.get(id);
      if (!needed) {
        throw new BootError(
          `plugin ${plugin.id}`,
          `it requires the plugin "${id}", which is not enabled`,
          `Add the package of "${id}" to "plugins", or take "${plugin.id}" out.`,
        );
      }
      visit(needed, [...path, plugin.id]);
    }
    ordered.add(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  return [...ordered];
}

/** The place of a deployment's database. */
export function databaseOptions({
  config: { database, server },
  dataDir,
}: LoadedDeployment): DatabaseOptions {
  return {
    url: database.url,
    file: join(dataDir, 'service.db'),
    connectTimeoutMs: database.connect_timeout_ms,
    queryTimeoutMs: Math.max(server.call_timeout_ms, MIN_QUERY_MS) + QUERY_MARGIN_MS,
  };
}
