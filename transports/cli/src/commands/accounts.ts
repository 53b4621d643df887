import { normalEmail } from '@service-mcp/core';
import type { Command } from 'commander';
import { connectHere } from '../connection/connect.js';
import { listAll, type Arguments, type Item, type Result } from '../connection/connection.js';
import { explainWithoutAccounts } from '../connection/remedy.js';
import { addDeploymentOptions, deploymentFlags, wholeNumber, type DeploymentOptions } from '../deployment.js';
import { Failure, isRefusal } from '../failure.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';

type Account = Item<'auth_list_accounts'>;

interface CreateOptions extends DeploymentOptions {
  readonly name?: string;
  readonly administrator?: boolean;
}

export function addAccounts(program: Command, invocation: Invocation): void {
  const accounts = program
    .command('accounts')
    .description('create and manage accounts, on the machine of the service')
    .addHelpText(
      'after',
      [
        '',
        'These commands open the database of the deployment (--config, --data), whether the service is running or not.',
        '',
        'Examples:',
        '  service-mcp accounts create ann@example.org --name Ann',
        '  service-mcp accounts invite bob@example.org',
        '  service-mcp accounts reset ann@example.org',
      ].join('\n'),
    );
  const add = (name: string, description: string, argument?: string) => {
    const command = accounts.command(name).description(description);
    if (argument !== undefined) command.argument(argument, 'e-mail address of the account');
    return addDeploymentOptions(command).option('--json', 'print the outcome as JSON');
  };
  const withLink = (command: Command) =>
    command.option(
      '--port <n>',
      'port of the service, for the link (default: as it was last started)',
      wholeNumber(1, 65_535),
    );

  add('list', 'list the accounts').action((options: DeploymentOptions) => list(options, invocation));
  withLink(add('create', 'create an account, with a link to set its password', '<email>'))
    .option('--name <name>', 'name that others see (default: the part before the @)')
    .option('--administrator', 'make it an administrator of the deployment')
    .action(async (email: string, options: CreateOptions) => {
      const { name, administrator = false } = options;
      const args = { email, administrator, name };
      const next = `accounts reset ${email}`;
      const made = await callOperatorTool(options, 'auth_create_account', args, invocation, next);
      showLink(made, 'Made', invocation);
    });
  withLink(add('invite', 'create a link that registers this address', '<email>')).action(
    async (email: string, options: DeploymentOptions) => {
      const { terminal } = invocation;
      const next = ({ reason }: Failure) =>
        `accounts ${reason === 'registration_closed' ? 'create' : 'reset'} ${email}`;
      const made = await callOperatorTool(options, 'auth_invite', { email }, invocation, next);
      if (terminal.json) return terminal.value(made);
      const until = made.expires_at.slice(0, 10);
      const name = terminal.shade('bold', printable(made.email));
      terminal.say(`Invited ${name}. Give them this link: it registers them, once, until ${until}.`);
      terminal.out(made.link);
    },
  );
  withLink(add('reset', 'create a link to set a new password', '<email>')).action(
    async (email: string, options: DeploymentOptions) => {
      const next = `accounts enable ${email}`;
      const found = await callOperatorTool(options, 'auth_reset_account', { email }, invocation, next);
      showLink(found, 'Found', invocation);
    },
  );
  add('disable', 'end the sessions of an account and reject its keys, until it is enabled', '<email>').action(
    async (email: string, options: DeploymentOptions) => {
      const account = await callOperatorTool(options, 'auth_disable_account', { email }, invocation);
      show(account, 'is disabled: its sessions ended, and its keys are refused.', invocation);
      if (account.administrator) await warnWithoutAdministrator(options, account, invocation);
    },
  );
  add('enable', 'enable an account again', '<email>').action(
    async (email: string, options: DeploymentOptions) => {
      const account = await callOperatorTool(options, 'auth_enable_account', { email }, invocation);
      show(account, 'is enabled.', invocation);
    },
  );
  add('delete', 'delete an account for good, with its address, name, keys and memberships', '<email>')
    .option('--with-workspaces', 'also delete the workspaces in which it is the only member')
    .action(async (email: string, options: DeploymentOptions & { withWorkspaces?: boolean }) => {
      await remove(email, options, invocation);
    });
  add('administrator', 'make an account an administrator of the deployment', '<email>')
    .option('--off', 'make it an ordinary account again')
    .action(async (email: string, options: DeploymentOptions & { off?: boolean }) => {
      const administrator = options.off !== true;
      const args = { email, administrator };
      const account = await callOperatorTool(options, 'auth_set_administrator', args, invocation);
      show(account, `is ${administrator ? 'now' : 'no longer'} an administrator.`, invocation);
      if (!administrator) await warnWithoutAdministrator(options, account, invocation);
    });
}

async function list(options: DeploymentOptions, { terminal, signal }: Invocation): Promise<void> {
  await using connection = await connectHere(options, { signal });
  const accounts = await listAll(connection, 'auth_list_accounts', {}).catch(explainWithoutAccounts);
  if (terminal.json) return terminal.value(accounts);
  const { paint } = terminal;
  if (accounts.length === 0) {
    const create = `${commandName()} accounts create EMAIL --administrator${deploymentFlags(options)}`;
    return terminal.say(`No accounts yet. Make one with: ${create}`);
  }
  const heads = ['EMAIL', 'NAME', 'SINCE', ''].map((head) => paint('dim', head));
  const rows = accounts.map((account) => {
    const { email, name, created_at, administrator, disabled, has_password } = account;
    const states = [
      administrator && 'administrator',
      disabled && 'disabled',
      !has_password && 'no password yet',
    ];
    const state = states.filter(Boolean).join(', ');
    return [paint('bold', printable(email)), printable(name), created_at.slice(0, 10), state];
  });
  terminal.table([heads, ...rows]);
  terminal.note(`\n${plural(accounts.length, 'account')}.`);
}

/** By its id: the audit log keeps the arguments of a call. */
async function remove(
  email: string,
  options: DeploymentOptions & { withWorkspaces?: boolean },
  invocation: Invocation,
): Promise<void> {
  const { signal, terminal } = invocation;
  const address = normalEmail(email);
  const account = await (async () => {
    await using connection = await connectHere(options, { signal });
    const found = await listAll(connection, 'auth_list_accounts', { query: address }).catch(
      explainWithoutAccounts,
    );
    return found.find((each) => each.email === address);
  })();
  if (!account)
    throw new Failure(`There is no account ${printable(email)}.`, {
      next: `Run: ${commandName()} accounts list${deploymentFlags(options)}`,
    });
  const args = { account_id: account.id, delete_workspaces: options.withWorkspaces === true };
  const next = ({ message }: Failure) =>
    message.includes('only owner') ? 'tools members_update' : `accounts delete ${email} --with-workspaces`;
  const deleted = await callOperatorTool(options, 'auth_delete_account', args, invocation, next);
  if (terminal.json) terminal.value(deleted);
  else terminal.out(`${terminal.paint('bold', printable(account.email))} is deleted.`);
  if (account.administrator)
    await warnWithoutAdministrator(options, account, invocation, [`create ${email} --administrator`]);
}

/** The operator may take the last administrator who can log in away, and is told how to have one again. */
async function warnWithoutAdministrator(
  options: DeploymentOptions,
  { email, administrator, disabled, has_password: hasPassword }: Account,
  { terminal, signal }: Invocation,
  steps: readonly string[] = [
    ...(disabled ? [`enable ${email}`] : []),
    ...(administrator ? [] : [`administrator ${email}`]),
  ],
): Promise<void> {
  await using connection = await connectHere(options, { signal });
  const accounts = await listAll(connection, 'auth_list_accounts', {});
  // As in the auth plugin: one without a password counts where the changed account has none either.
  const counts = (account: Account) =>
    account.administrator && !account.disabled && (account.has_password || !hasPassword);
  if (accounts.some(counts)) return;
  const commands = steps.map((step) => `${commandName()} accounts ${step}${deploymentFlags(options)}`);
  terminal.warn(
    `No administrator ${hasPassword ? 'can log in' : 'is left'} now. To have one again: ${commands.join(' && ')}`,
  );
}

function show(account: Account, words: string, { terminal }: Invocation): void {
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

/**
 * Calls a tool for operators on the deployment itself, in this process, whether its service runs or not. `conflict` is
 * the command to run next after a CONFLICT.
 */
export async function callOperatorTool<Name extends string>(
  options: DeploymentOptions,
  tool: Name,
  args: Arguments<Name>,
  { signal }: Invocation,
  conflict?: string | ((refusal: Failure) => string),
): Promise<Result<Name>> {
  await using connection = await connectHere(options, { signal });
  return await connection.call(tool, args).catch((thrown: unknown) => {
    // Messages of tools name other tools as the next step; here the next step is a command.
    if (!isRefusal(thrown, 'NOT_FOUND', 'CONFLICT')) return explainWithoutAccounts(thrown);
    const afterConflict = typeof conflict === 'function' ? conflict(thrown) : conflict;
    const next = thrown.code === 'NOT_FOUND' ? 'accounts list' : afterConflict;
    if (next === undefined) return explainWithoutAccounts(thrown);
    throw thrown.with(
      { next: `Run: ${commandName()} ${next}${deploymentFlags(options)}` },
      thrown.message.split(/(?<=\.) /)[0],
    );
  });
}
