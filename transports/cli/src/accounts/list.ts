import { localConnection } from '../connection/local.js';
import type { DeploymentOptions } from '../deployment.js';
import { pages } from '../ingest/remote.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import { table } from '../terminal/table.js';
import { explainWithoutAccounts } from './without-accounts.js';

export interface Account {
  readonly email: string;
  readonly name: string;
  readonly administrator: boolean;
  readonly disabled: boolean;
  readonly has_password: boolean;
  readonly created_at: string;
}

export async function listAccounts(
  options: DeploymentOptions,
  { terminal, signal }: Invocation,
): Promise<void> {
  const connection = await localConnection(options, false);
  const accounts: Account[] = [];
  try {
    for await (const account of pages<Account>(connection, 'auth_list_accounts', {}, signal))
      accounts.push(account);
  } catch (thrown) {
    explainWithoutAccounts(thrown);
  } finally {
    await connection.close();
  }
  if (terminal.json) return terminal.value(accounts);
  const { paint } = terminal;
  if (accounts.length === 0)
    return terminal.say('No accounts yet. The first who registers administers the deployment.');
  const heads = ['EMAIL', 'NAME', 'SINCE', ''].map((head) => paint('dim', head));
  const rows = accounts.map((account) => [
    paint('bold', printable(account.email)),
    printable(account.name),
    account.created_at.slice(0, 10),
    stateOf(account),
  ]);
  table([heads, ...rows], terminal.columns).forEach((line) => terminal.out(line));
  terminal.say(terminal.shade('dim', `\n${plural(accounts.length, 'account')}.`));
}

function stateOf({ administrator, disabled, has_password }: Account): string {
  const parts = [
    administrator && 'administrator',
    disabled && 'disabled',
    !has_password && 'no password yet',
  ];
  return parts.filter((part) => part !== false).join(', ');
}
