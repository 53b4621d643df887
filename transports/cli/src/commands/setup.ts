import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CLIENTS,
  showEntry,
  type ClientFormat,
  type ClientName,
  type KeyText,
} from '@service-mcp/transport-mcp/client-settings';
import { Argument, type Command } from 'commander';
import { chosenUrl, DEFAULT_URL } from '../connection/address.js';
import { addConnectionOptions, credentialFor, type ConnectionOptions } from '../connection/connect.js';
import { serviceFault } from '../connection/http.js';
import { commandName } from '../command-name.js';
import { BINARY, flagsOf, isLocal } from '../deployment.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import type { JsonObject } from '../json.js';
import { SETTINGS_FILES } from '../setup/settings-files.js';
import { mergeSettings, readSettings } from '../setup/merge-settings.js';
import { readText, writeSettings } from '../setup/write-settings.js';
import { isKey, maskedKey } from './verify-key.js';

interface SetupOptions extends ConnectionOptions {
  readonly name: string;
  readonly project?: boolean;
  readonly stdio?: boolean;
  readonly key?: boolean;
  readonly keyVariable?: string;
  readonly print?: boolean;
}

export function addSetup(program: Command, invocation: Invocation): void {
  const command = program
    .command('setup')
    .description('add this service to the settings of an MCP client')
    .addArgument(new Argument('<client>', 'the client').choices(Object.keys(CLIENTS)))
    .option('--print', 'show the entry and write nothing')
    .option('--project', 'use the settings of this folder instead of your own')
    .option('--stdio', 'let the client start a command that forwards calls to the service')
    .option('--key', 'write the API key that is saved for the service; without it, people log in by OAuth')
    .option('--key-variable <name>', 'let the client read the API key from this environment variable')
    .option('--name <name>', 'name of the entry', 'service-mcp');
  addConnectionOptions(command)
    .option('--json', 'print file, entry and copy as JSON')
    .addHelpText(
      'after',
      [
        '',
        'The rest of the file stays as it is, with comments, and a copy is kept beside it. With --config or --data',
        'the client starts a process that opens that deployment, without a service.',
        '',
        'Examples:',
        '  service-mcp setup claude',
        '  service-mcp setup cursor --url https://memory.example.org --key-variable SERVICE_API_KEY',
        '  service-mcp setup codex --stdio',
        '  service-mcp setup zed --print',
      ].join('\n'),
    )
    .action((name: ClientName, options: SetupOptions) => setup(name, options, invocation));
}

async function setup(id: ClientName, options: SetupOptions, invocation: Invocation): Promise<void> {
  const client: ClientFormat = CLIENTS[id];
  const { terminal, signal } = invocation;
  const { name, print = false } = options;
  checkOptions(client, options);
  const file = settingsFile(id, options);
  const key = await keyText(options, invocation);
  const entry = entryOf(client, options, key);
  const text = await readText(file);
  const settings = readSettings(client, file, text);
  const merged = mergeSettings(client, { file, text, name, entry });
  const isNew = merged !== text;
  const secret = key && 'text' in key ? key.text : undefined;
  const shown = showEntry(client, name, entry, settings);
  // What is printed to be copied is whole; what is written anyway is shown without its key.
  const visible = print || secret === undefined ? shown : shown.replaceAll(secret, maskedKey(secret));
  const copy =
    print || !isNew
      ? undefined
      : await writeSettings(file, merged, { secret: secret !== undefined, now: new Date() });
  if (terminal.json)
    return terminal.value({ file, entry: visible, written: isNew && !print, copy: copy ?? null });
  terminal.say(`${client.title}: ${file}\n`);
  terminal.out(visible);
  terminal.say();
  if (print) return terminal.note('Nothing was written.');
  const was = copy === undefined ? '' : ` What was there is in ${copy}.`;
  terminal.say(isNew ? `Written.${was}` : 'It is there already: nothing was written.');
  const isRemote = !isStdio(options);
  const fault = isRemote && (await serviceFault(chosenUrl(options), signal));
  if (fault) terminal.warn(fault.line);
  if (key && 'variable' in key && !process.env[key.variable])
    terminal.warn(
      `${key.variable} is not set here: ${client.title} needs it in its environment, with a key of the service.`,
    );
  const next = isRemote && !key ? client.login(name) : `Start ${client.title} again.`;
  terminal.say(`${terminal.shade('cyan', '→')} ${next}`);
}

const isStdio = (options: SetupOptions) => options.stdio === true || isLocal(options);

function checkOptions(
  client: ClientFormat,
  { key, keyVariable, name, project, ...rest }: SetupOptions,
): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new Failure(`"${name}" cannot be a name: clients build the names of tools with it.`, {
      next: 'Use letters, digits, - and _.',
    });
  if (key && keyVariable !== undefined)
    throw new Failure('--key writes the key, --key-variable names where it is.', {
      next: 'Give one or the other.',
    });
  if (isLocal(rest) && (key || keyVariable !== undefined || rest.url !== undefined))
    throw new Failure(
      '--config and --data open a deployment without a service: it needs no address and no key.',
      {
        next: 'Leave out --url, --key and --key-variable.',
      },
    );
  if (keyVariable !== undefined && (!client.variables || isStdio({ name, ...rest })))
    throw new Failure(
      client.variables
        ? 'A process that the client starts has the environment of the client: it reads SERVICE_API_KEY by itself.'
        : `${client.title} knows no variables in its settings.`,
      { next: 'Use --key, or log in by OAuth.' },
    );
  if (keyVariable !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(keyVariable))
    throw new Failure(`"${keyVariable}" cannot be the name of a variable.`, {
      next: 'Use letters, digits and _, such as SERVICE_API_KEY.',
    });
  if (keyVariable !== undefined && isKey(keyVariable))
    throw new Failure('--key-variable takes the name of a variable, and this is a key.', {
      next: 'Put the key into the environment of the client, and name the variable: --key-variable SERVICE_API_KEY',
    });
  if (project && key)
    throw new Failure('A key in the settings of a folder is shared with everybody who gets the folder.', {
      next: 'Use --key-variable NAME, log in by OAuth, or leave out --project.',
    });
  if (project && client.projectFiles.length === 0)
    throw new Failure(`${client.title} keeps servers in the settings of the person alone.`, {
      next: 'Leave out --project.',
    });
}

/** The file of settings: the first that exists, else the first that the client reads. */
function settingsFile(id: ClientName, { project }: SetupOptions): string {
  const own = CLIENTS[id].projectFiles.map((path) => resolve(path));
  const files = project ? own : SETTINGS_FILES[id](process.env);
  return files.find((path) => existsSync(path)) ?? files[0] ?? '';
}

async function keyText(options: SetupOptions, { terminal }: Invocation): Promise<KeyText | undefined> {
  if (options.keyVariable !== undefined) return { variable: options.keyVariable };
  if (!options.key) return undefined;
  const url = chosenUrl(options);
  const found = await credentialFor(url, options, terminal);
  if (found) return { text: found.key };
  throw new Failure(`There is no key for ${url}.`, {
    next: `Make one with: ${commandName()} keys create NAME --save (or leave out --key, and log in by OAuth)`,
  });
}

function entryOf(client: ClientFormat, options: SetupOptions, key: KeyText | undefined): JsonObject {
  const url = chosenUrl(options);
  if (!isStdio(options)) return client.remote(`${url}/mcp`, key);
  const { config, data } = options;
  const paths = {
    ...(config !== undefined && { config: resolve(config) }),
    ...(data !== undefined && { data: resolve(data) }),
  };
  return client.local({
    command: process.execPath,
    args: [BINARY, 'stdio', ...flagsOf(paths, 'config', 'data')],
    env: {
      ...(!isLocal(options) && url !== DEFAULT_URL && { SERVICE_API_URL: url }),
      ...(key && 'text' in key && { SERVICE_API_KEY: key.text }),
    },
  });
}
