import type { Command } from 'commander';
import { callOperatorTool } from './accounts.js';
import { explainWithoutAccounts, explainWrongId } from '../connection/remedy.js';
import { addConnectionOptions } from '../connection/connect.js';
import { listAll, type Item } from '../connection/connection.js';
import { addDeploymentOptions, collect, type DeploymentOptions } from '../deployment.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import {
  connectForKeys,
  createKey,
  parseExpiry,
  type CreateOptions,
  type KeyOptions,
} from '../keys/create-key.js';
import { clip, plural, printable, quoted } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

type Key = Item<'auth_list_api_keys'>;

interface ListOptions extends KeyOptions {
  readonly all?: boolean;
}

export function addKeys(program: Command, invocation: Invocation): void {
  const keys = program
    .command('keys')
    .description('create, list and revoke API keys; rotate the keys that sign logins')
    .addHelpText(
      'after',
      [
        '',
        'These commands manage the keys of the account that your key belongs to. On the machine of the service you need',
        'no key: --account opens the database as the local owner, or as the account with that e-mail address.',
        '',
        'Examples:',
        '  service-mcp keys create laptop --save',
        '  service-mcp keys create ci --scope search:read --expires 30d',
        '  service-mcp keys create bot --account ann@example.org',
      ].join('\n'),
    );
  const add = (name: string, description: string) =>
    addConnectionOptions(
      keys
        .command(name)
        .description(description)
        .option(
          '--account [email]',
          'open the database directly, as this account (default: the local owner)',
        ),
    );
  add('list', 'list keys, newest first')
    .option('--all', 'include revoked and expired keys')
    .option('--json', 'print the keys as JSON')
    .action((options: ListOptions) => list(options, invocation));
  add('create', 'create a key; it is shown once')
    .argument('<name>', 'name of the key: what it is for')
    .option(
      '--scope <scope>',
      'scope of the key: search:read, mcp:write, *; repeatable (default: mcp:read and mcp:write)',
      collect,
      [],
    )
    .option('--workspace <id>', 'limit the key to this workspace')
    .option(
      '--expires <when>',
      'expiry: a date, or a duration such as 12h, 30d, 8w (default: never)',
      (text) => parseExpiry(text),
    )
    .option('--save', 'save the key for commands on this machine instead of showing it')
    .option('--replace', 'with --save: replace the saved key of the service')
    .option('--json', 'print the record, with secret_key, as JSON')
    .action((name: string, options: CreateOptions) => createKey(name, options, invocation));
  add('revoke', 'revoke a key and the keys created with it')
    .argument('<id>', 'id of the key (see keys list)')
    .option('--json', 'print the outcome as JSON')
    .action((id: string, options: KeyOptions) => revoke(id, options, invocation));
  addDeploymentOptions(
    keys
      .command('rotate')
      .description('rotate the keys that sign logins and OAuth tokens; nobody is logged out'),
  )
    .option('--json', 'print the number of the new generation as JSON')
    .action((options: DeploymentOptions) => rotate(options, invocation));
}

async function revoke(id: string, options: KeyOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  await using connection = await connectForKeys(options, invocation);
  const outcome = await connection
    .call('auth_revoke_api_key', { key_id: id })
    .catch(explainWrongId('key', id, `keys list${accountFlag(options)}${connection.target}`));
  if (terminal.json) return terminal.value(outcome);
  terminal.out(`Revoked ${id}: it is refused from now on, and so is any key that it made.`);
}

async function rotate(options: DeploymentOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const outcome = await callOperatorTool(options, 'auth_rotate_keys', {}, invocation);
  if (terminal.json) return terminal.value(outcome);
  terminal.out(
    `Generation ${outcome.generation} is published. It signs in two minutes; nobody is logged out.`,
  );
}

async function list(options: ListOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  await using connection = await connectForKeys(options, invocation);
  const all = await listAll(connection, 'auth_list_api_keys', {}).catch(explainWithoutAccounts);
  const ended = (key: Key) => key.revoked_at !== null || isPast(key.expires_at);
  const keys = options.all ? all : all.filter((key) => !ended(key));
  if (terminal.json) return terminal.value(keys);
  print(keys, terminal);
  const hidden = all.length - keys.length;
  const more = hidden === 0 ? [] : [`${plural(hidden, 'ended key')} not shown: --all.`];
  if (keys.length > 0) return terminal.note([`\n${plural(keys.length, 'key')}.`, ...more].join(' '));
  const create = `${commandName()} keys create NAME${accountFlag(options)}${connection.target}`;
  terminal.note([`No keys. Make one with: ${create}`, ...more].join('\n'));
}

function accountFlag({ account }: KeyOptions): string {
  if (account === undefined) return '';
  return account === true ? ' --account' : ` --account ${quoted(account)}`;
}

/** Columns that a table with whole keys needs; without them it fits a window of usual size. */
const WIDE = 120;

function print(keys: readonly Key[], { table, paint, columns }: Terminal): void {
  if (keys.length === 0) return;
  const wide = columns >= WIDE;
  const row = (name: string, key: string, ...more: string[]) =>
    wide ? [name, key, ...more] : [name, ...more];
  const heads = row('NAME', 'KEY', 'ID', 'LAST USED', 'ENDS', 'MAY').map((head) => paint('dim', head));
  const rows = keys.map((key) =>
    row(
      paint('bold', clip(printable(key.name), wide ? 40 : 20)),
      printable(key.masked_key),
      key.id,
      key.last_used_at === null ? 'never' : day(key.last_used_at),
      ends(key, paint),
      key.workspace_id === null ? key.scopes.join(' ') : `${key.scopes.join(' ')} in ${key.workspace_id}`,
    ),
  );
  table([heads, ...rows]);
}

function ends({ revoked_at, expires_at }: Key, paint: Terminal['paint']): string {
  if (revoked_at !== null) return paint('red', `revoked ${day(revoked_at)}`);
  if (expires_at === null) return 'never';
  return isPast(expires_at) ? paint('yellow', `ended ${day(expires_at)}`) : day(expires_at);
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}

function day(time: string): string {
  return time.slice(0, 10);
}
