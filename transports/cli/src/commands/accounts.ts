import type { Command } from 'commander';
import { listAccounts, type Account } from '../accounts/list.js';
import { operate } from '../accounts/operate.js';
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
    .option('--name <name>', 'name that others see (default: what is before the @)')
    .option('--administrator', 'it administers the deployment')
    .action(async (email: string, options: CreateOptions) => {
      const { name, administrator = false } = options;
      const args = { email, administrator, ...(name !== undefined && { name }) };
      const made = await operate(options, 'auth_create_account', args, invocation, `accounts reset ${email}`);
      showLink(made, 'Made', invocation);
    });
  withLink(add('reset', 'make a link to set a new password', '<email>')).action(
    async (email: string, options: DeploymentOptions) => {
      const next = `accounts enable ${email}`;
      showLink(
        await operate(options, 'auth_reset_account', { email }, invocation, next),
        'Found',
        invocation,
      );
    },
  );
  add('disable', 'end its sessions and refuse its keys, until it is enabled', '<email>').action(
    async (email: string, options: DeploymentOptions) =>
      show(
        await operate(options, 'auth_disable_account', { email }, invocation),
        'is disabled: its sessions ended, and its keys are refused.',
        invocation,
      ),
  );
  add('enable', 'let it in again', '<email>').action(async (email: string, options: DeploymentOptions) =>
    show(await operate(options, 'auth_enable_account', { email }, invocation), 'is enabled.', invocation),
  );
  add('administrator', 'let it administer the deployment', '<email>')
    .option('--off', 'take that away')
    .action(async (email: string, options: DeploymentOptions & { off?: boolean }) => {
      const administrator = options.off !== true;
      const account = await operate(options, 'auth_set_administrator', { email, administrator }, invocation);
      show(account, administrator ? 'is an administrator.' : 'is no administrator any more.', invocation);
    });
}

function show(account: Record<string, unknown>, words: string, { terminal }: Invocation): void {
  if (terminal.json) return terminal.value(account);
  terminal.out(`${terminal.paint('bold', printable(String(account['email'])))} ${words}`);
}

/** The link is the result: it alone goes to standard output. */
function showLink(outcome: Record<string, unknown>, verb: string, { terminal }: Invocation): void {
  if (terminal.json) return terminal.value(outcome);
  const { email, administrator } = outcome['account'] as Account; // the shape the tool declares
  const as = administrator ? ', an administrator' : '';
  terminal.say(
    `${verb} ${terminal.shade('bold', printable(email))}${as}. Give this link to its owner: it sets a password, once, within 24 hours.`,
  );
  terminal.out(String(outcome['link']));
}
