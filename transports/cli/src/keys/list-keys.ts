import { explainWithoutAccounts } from '../accounts/explain-without-accounts.js';
import { commandName } from '../command-name.js';
import { listAll, type Item } from '../connection/connection.js';
import type { Invocation } from '../invocation.js';
import { clip, plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import { connectForKeys, type KeyOptions } from './connect-for-keys.js';

type Key = Item<'auth_list_api_keys'>;

export async function listKeys(
  options: KeyOptions & { readonly all?: boolean },
  invocation: Invocation,
): Promise<void> {
  const { terminal, signal } = invocation;
  await using connection = await connectForKeys(options, invocation);
  const all = await listAll(connection, 'auth_list_api_keys', {}, signal).catch(explainWithoutAccounts);
  const ended = (key: Key) => key.revoked_at !== null || isPast(key.expires_at);
  const keys = options.all ? all : all.filter((key) => !ended(key));
  if (terminal.json) return terminal.value(keys);
  print(keys, terminal);
  const hidden = all.length - keys.length;
  const more = hidden === 0 ? [] : [`${plural(hidden, 'ended key')} not shown: --all.`];
  if (keys.length > 0) terminal.note([`\n${plural(keys.length, 'key')}.`, ...more].join(' '));
  else terminal.note([`No keys. Make one with: ${commandName()} keys create NAME`, ...more].join('\n'));
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
