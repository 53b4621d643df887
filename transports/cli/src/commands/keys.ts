import type { Command } from 'commander';
import { callOperatorTool } from '../accounts/call-operator-tool.js';
import { explainWithoutAccounts } from '../accounts/explain-without-accounts.js';
import { addConnectionOptions } from '../connection/connect.js';
import { addDeploymentOptions, collect, type DeploymentOptions } from '../deployment.js';
import type { Invocation } from '../invocation.js';
import { connectForKeys, type KeyOptions } from '../keys/connect-for-keys.js';
import { createKey, type CreateOptions } from '../keys/create-key.js';
import { listKeys } from '../keys/list-keys.js';
import { parseExpiry } from '../keys/parse-expiry.js';

export function addKeys(program: Command, invocation: Invocation): void {
  const keys = program
    .command('keys')
    .description('make, list and revoke API keys; renew the keys that sign logins')
    .addHelpText(
      'after',
      [
        '',
        'Keys are those of the account behind the key that is sent. On the machine of the service no key is needed:',
        '--account works on its database, as the local owner or the account with the address given.',
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
        .option('--account [email]', 'work on the database here, as this account (default: the local owner)'),
    );
  add('list', 'list keys, newest first')
    .option('--all', 'revoked and ended ones too')
    .option('--json', 'print the keys as JSON')
    .action((options: KeyOptions & { all?: boolean }) => listKeys(options, invocation));
  add('create', 'make a key; it is shown once')
    .argument('<name>', 'what it is for')
    .option(
      '--scope <scope>',
      'what it may do: search:read, mcp:write, *; repeatable (default: mcp:read and mcp:write)',
      collect,
      [],
    )
    .option('--workspace <id>', 'confine it to this workspace')
    .option('--expires <when>', 'a date, or a duration: 12h, 30d, 8w (default: never)', (text) =>
      parseExpiry(text),
    )
    .option('--save', 'keep it for commands on this machine instead of showing it')
    .option('--replace', 'with --save: replace the key that is kept for the service')
    .option('--json', 'print the record, with secret_key, as JSON')
    .action((name: string, options: CreateOptions) => createKey(name, options, invocation));
  add('revoke', 'revoke a key, and those made by it')
    .argument('<id>', 'its id (see keys list)')
    .option('--json', 'print the outcome as JSON')
    .action((id: string, options: KeyOptions) => revoke(id, options, invocation));
  addDeploymentOptions(
    keys
      .command('rotate')
      .description('renew the keys that sign logins and tokens of the OAuth server; nobody is logged out'),
  )
    .option('--json', 'print the number of the new generation as JSON')
    .action((options: DeploymentOptions) => rotate(options, invocation));
}

async function revoke(id: string, options: KeyOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  await using connection = await connectForKeys(options, invocation);
  const outcome = await connection
    .call('auth_revoke_api_key', { key_id: id }, { signal })
    .catch(explainWithoutAccounts);
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
