import { listAll, type Item } from '../connection/connection.js';
import { connectHere } from '../connection/connect.js';
import type { DeploymentOptions } from '../deployment.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import { explainWithoutAccounts } from './explain-without-accounts.js';

export async function listAccounts(
  options: DeploymentOptions,
  { terminal, signal }: Invocation,
): Promise<void> {
  await using connection = await connectHere(options, { signal });
  const accounts = await listAll(connection, 'auth_list_accounts', {}, signal).catch(explainWithoutAccounts);
  if (terminal.json) return terminal.value(accounts);
  const { paint } = terminal;
  if (accounts.length === 0)
    return terminal.say('No accounts yet. The first person to register administers the deployment.');
  const rows = accounts.map((account) => [
    paint('bold', printable(account.email)),
    printable(account.name),
    account.created_at.slice(0, 10),
    stateOf(account),
  ]);
  terminal.table([['EMAIL', 'NAME', 'SINCE', ''].map((head) => paint('dim', head)), ...rows]);
  terminal.note(`\n${plural(accounts.length, 'account')}.`);
}

function stateOf({ administrator, disabled, has_password }: Item<'auth_list_accounts'>): string {
  const parts = [
    administrator && 'administrator',
    disabled && 'disabled',
    !has_password && 'no password yet',
  ];
  return parts.filter(Boolean).join(', ');
}
