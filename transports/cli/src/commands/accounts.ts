import type { Command } from 'commander';
import { callOperatorTool } from '../accounts/call-operator-tool.js';
import { listAccounts } from '../accounts/list-accounts.js';
import type { Item, Result } from '../connection/connection.js';
import { addDeploymentOptions, wholeNumber, type DeploymentOptions } from '../deployment.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../terminal/format.js';

interface CreateOptions extends DeploymentOptions {
  readonly name?: string;
  readonly administrator?: boolean;
}

export function addAccounts(program: Command, invocation: Invocation): void {
  const accounts = program
    .command('accounts')
    .description('make and manage accounts, on the machine of the service')
    .addHelpText(
      'after',
      [
        '',
        'They work on the database of the deployment (--config, --data), whether the service runs or not.',
        '',
        'Examples:',
        '  service-mcp accounts create ann@example.org --name Ann',
        '  service-mcp accounts reset ann@example.org',
      ].join('\n'),
    );
  const add = (name: string, description: string, argument?: string) => {
    const command = accounts.command(name).description(description);
    if (argument !== undefined) command.argument(argument, 'address of the account');
    return addDeploymentOptions(command).option('--json', 'print the outcome as JSON');
  };
  const withLink = (command: Command) =>
    command.option('--port <n>', 'port of the service, for the link (default: 8080)', wholeNumber(1, 65_535));

  add('list', 'list the accounts').action((options: DeploymentOptions) => listAccounts(options, invocation));
  withLink(add('create', 'make an account, and a link to set its password', '<email>'))
    .option('--name <name>', 'name that others see (default: the part before the @)')
    .option('--administrator', 'it administers the deployment')
    .action(async (email: string, options: CreateOptions) => {
      const { name, administrator = false } = options;
      const args = { email, administrator, name };
      const next = `accounts reset ${email}`;
      const made = await callOperatorTool(options, 'auth_create_account', args, invocation, next);
      showLink(made, 'Made', invocation);
    });
  withLink(add('reset', 'make a link to set a new password', '<email>')).action(
    async (email: string, options: DeploymentOptions) => {
      const next = `accounts enable ${email}`;
      const found = await callOperatorTool(options, 'auth_reset_account', { email }, invocation, next);
      showLink(found, 'Found', invocation);
    },
  );
  add('disable', 'end its sessions and refuse its keys, until it is enabled', '<email>').action(
    async (email: string, options: DeploymentOptions) => {
      const account = await callOperatorTool(options, 'auth_disable_account', { email }, invocation);
      show(account, 'is disabled: its sessions ended, and its keys are refused.', invocation);
    },
  );
  add('enable', 'let it in again', '<email>').action(async (email: string, options: DeploymentOptions) => {
    const account = await callOperatorTool(options, 'auth_enable_account', { email }, invocation);
    show(account, 'is enabled.', invocation);
  });
  add('administrator', 'let it administer the deployment', '<email>')
    .option('--off', 'withdraw that')
    .action(async (email: string, options: DeploymentOptions & { off?: boolean }) => {
      const administrator = options.off !== true;
      const args = { email, administrator };
      const account = await callOperatorTool(options, 'auth_set_administrator', args, invocation);
      show(account, `is ${administrator ? 'now' : 'no longer'} an administrator.`, invocation);
    });
}

function show(account: Item<'auth_list_accounts'>, words: string, { terminal }: Invocation): void {
  if (terminal.json) return terminal.value(account);
  terminal.out(`${terminal.paint('bold', printable(account.email))} ${words}`);
}

/** The link is the result: it alone goes to standard output. */
function showLink(outcome: Result<'auth_create_account'>, verb: string, { terminal }: Invocation): void {
  if (terminal.json) return terminal.value(outcome);
  const { email, administrator } = outcome.account;
  const as = administrator ? ', an administrator' : '';
  terminal.say(
    `${verb} ${terminal.shade('bold', printable(email))}${as}. Give this link to its owner: it sets a password, once, within 24 hours.`,
  );
  terminal.out(outcome.link);
}
