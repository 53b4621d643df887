import { isRefusal, Failure } from '../failure.js';
import { commandName } from '../command-name.js';
import { printable } from '../terminal/format.js';
import { urlFlag } from './address.js';
import type { Connection, Item } from './connection.js';

const MAX_SHOWN = 10;

/** A failure that lists the workspaces to choose from: the first ten of `total`. */
function severalWorkspaces(
  found: readonly Item<'workspaces_list'>[],
  total: number,
  flag: string,
  cause?: Failure,
): Failure {
  const shown = found.slice(0, MAX_SHOWN).map(({ id, name }) => `  ${id}  ${printable(name)}`);
  if (total > shown.length) shown.push(`  … and ${total - shown.length} more`);
  const message = `There are ${total} workspaces:\n${shown.join('\n')}`;
  return new Failure(message, { code: cause?.code, next: `Choose one with ${flag} ID.`, cause });
}

/** The only workspace that the caller may use; undefined where there is none. Throws a Failure that lists several. */
export async function onlyWorkspace(
  connection: Connection,
  flag: string,
): Promise<Item<'workspaces_list'> | undefined> {
  const page = await connection.call('workspaces_list', { per_page: MAX_SHOWN }, { repeatable: true });
  if (page.total > 1) throw severalWorkspaces(page.items, page.total, flag);
  return page.items[0];
}

/**
 * For `catch` of a call: where its arguments left the workspace out and there are several, names them and the
 * flag that chooses one; where there is none, says `whenNone`. Rethrows everything else as it is.
 */
export function chooseWorkspace(
  connection: Connection,
  args: { readonly workspace_id?: unknown },
  flag: string,
  whenNone = `Ingest a folder first: ${commandName()} ingest DIR${urlFlag(connection.url)}`,
): (thrown: unknown) => Promise<never> {
  return async (thrown) => {
    if (!isRefusal(thrown, 'INVALID_ARGUMENT') || args.workspace_id !== undefined) throw thrown;
    const [issue, ...others] = thrown.issues;
    if (issue?.path !== '/workspace_id' || others.length > 0) throw thrown;
    const page = await connection.call('workspaces_list', { per_page: MAX_SHOWN }).catch(() => undefined);
    if (page === undefined) throw thrown;
    if (page.total > 1) throw severalWorkspaces(page.items, page.total, flag, thrown);
    throw thrown.with({ next: page.total === 0 ? whenNone : undefined });
  };
}
