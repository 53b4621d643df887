import { isRefusal, Failure } from '../failure.js';
import { commandName } from '../command-name.js';
import { printable } from '../terminal/format.js';
import { listAll, type Connection, type Item } from './connection.js';

const MAX_SHOWN = 10;

/** A failure that lists workspaces to choose from under `title`: the first ten of `total`. */
function severalWorkspaces(
  found: readonly Item<'workspaces_list'>[],
  { total, title = `There are ${total} workspaces` }: { readonly total: number; readonly title?: string },
  flag: string,
  cause?: Failure,
): Failure {
  const shown = found.slice(0, MAX_SHOWN).map(({ id, name }) => `  ${id}  ${printable(name)}`);
  if (total > shown.length) shown.push(`  … and ${total - shown.length} more`);
  const message = `${title}:\n${shown.join('\n')}`;
  return new Failure(message, { code: cause?.code, next: `Choose one with ${flag} ID.`, cause });
}

/** The only workspace that the caller may use; undefined where there is none. Throws a Failure that lists several. */
export async function onlyWorkspace(
  connection: Connection,
  flag: string,
): Promise<Item<'workspaces_list'> | undefined> {
  const page = await connection.call('workspaces_list', { per_page: MAX_SHOWN }, { repeatable: true });
  if (page.total > 1) throw severalWorkspaces(page.items, page, flag);
  return page.items[0];
}

interface NamedWorkspace {
  readonly id: string;
  readonly name: string;
}

/** The only workspace, or a new one where the caller has none; `isNew` says which. Throws a Failure that lists several. */
export async function onlyOrFirstWorkspace(
  connection: Connection,
  flag: string,
): Promise<NamedWorkspace & { readonly isNew: boolean }> {
  const only = await onlyWorkspace(connection, flag);
  const { id, name } = only ?? (await createFirstWorkspace(connection));
  return { id, name, isNew: only === undefined };
}

/** The first workspace. Of those that commands make at once, the earliest stays, and each deletes its own later one. */
async function createFirstWorkspace(connection: Connection): Promise<NamedWorkspace> {
  const made = await connection.call('workspaces_create', { name: 'default' });
  const all = await listAll(connection, 'workspaces_list', {});
  const order = ({ created_at: at, id }: typeof made) => `${at} ${id}`;
  const [first = made] = all
    .filter(({ name }) => name === made.name)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
  if (first.id === made.id) return made;
  const inIt = { workspace_id: made.id };
  const { total } = await connection.call('projects_list', { ...inIt, per_page: 1 }, { repeatable: true });
  if (total > 0) return made;
  await connection.call('workspaces_delete', inIt);
  return first;
}

/**
 * For `catch` of a call: where its arguments left the workspace out and there are several, or name it by something else
 * than its id, names the ids and the flag that chooses one; where there is none, says `whenNone`. Rethrows everything else
 * as it is.
 */
export function chooseWorkspace(
  connection: Connection,
  args: { readonly workspace_id?: unknown },
  flag: string,
  whenNone = `Ingest a folder first: ${commandName()} ingest DIR${connection.target}`,
): (thrown: unknown) => Promise<never> {
  return async (thrown) => {
    const { workspace_id: given } = args;
    if (!isRefusal(thrown, 'INVALID_ARGUMENT')) throw thrown;
    const [issue, ...others] = thrown.issues;
    if (issue?.path !== '/workspace_id' || others.length > 0) throw thrown;
    if (given !== undefined && typeof given !== 'string') throw thrown;
    const found = await listAll(connection, 'workspaces_list', {}).catch(() => undefined);
    // A key may search without a permission to list workspaces; verify-key lists them for every key.
    if (found === undefined)
      throw thrown.with({
        next: `Choose one with ${flag} ID: ${commandName()} verify-key${connection.target} lists them.`,
      });
    if (found.length === 0) throw thrown.with({ next: whenNone });
    if (given !== undefined) throw notAnId(given, found, flag, thrown);
    throw found.length > 1 ? severalWorkspaces(found, { total: found.length }, flag, thrown) : thrown;
  };
}

/** A failure about a text that is not the id of a workspace: a name never chooses one, but tells which is meant. */
function notAnId(
  given: string,
  all: readonly Item<'workspaces_list'>[],
  flag: string,
  cause: Failure,
): Failure {
  const text = `"${printable(given)}"`;
  const exact = all.filter(({ name }) => name === given);
  const named = exact.length > 0 ? exact : all.filter(({ name }) => lowered(name) === lowered(given));
  const [one, ...more] = named;
  if (!one) {
    const amount = all.length === 1 ? 'There is one workspace' : `There are ${all.length} workspaces`;
    const title = `${text} is neither the id nor the name of a workspace. ${amount}`;
    return severalWorkspaces(all, { total: all.length, title }, flag, cause);
  }
  if (more.length > 0) {
    const title = `${text} is the name of ${named.length} workspaces`;
    return severalWorkspaces(named, { total: named.length, title }, flag, cause);
  }
  return cause.with({ next: `${text} has the id ${one.id}: choose it with ${flag} ${one.id}` });
}

const lowered = (text: string) => text.trim().toLowerCase();
