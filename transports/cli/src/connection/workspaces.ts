import { commandName } from '../command.js';
import { Failure } from '../failure.js';
import { printable } from '../terminal/format.js';
import { DEFAULT_URL } from './address.js';
import type { Connection } from './connection.js';

export interface Named {
  readonly id: string;
  readonly name: string;
}

const SHOWN = 10;

/** A failure that lists the workspaces there are: ten at most, `total` in all. */
export function severalWorkspaces(
  found: readonly Named[],
  total: number,
  options: { readonly flag: string; readonly code?: string; readonly cause?: unknown },
): Failure {
  const { flag, ...rest } = options;
  const shown = found.slice(0, SHOWN).map(({ id, name }) => `  ${id}  ${printable(name)}`);
  const more = total > shown.length ? [`  … and ${total - shown.length} more`] : [];
  return new Failure(`There are ${total} workspaces:\n${[...shown, ...more].join('\n')}`, {
    ...rest,
    next: `Choose one with ${flag} ID.`,
  });
}

/**
 * For `catch` of a call: where its arguments left the workspace out and there are several, names them and the
 * flag that chooses one. Rethrows everything else as it is.
 */
export function chooseWorkspace(
  connection: Connection,
  args: object,
  flag: string,
  signal: AbortSignal,
): (thrown: unknown) => Promise<never> {
  return async (thrown) => {
    if (!(thrown instanceof Failure) || thrown.code !== 'INVALID_ARGUMENT' || 'workspace_id' in args)
      throw thrown;
    const [issue, ...others] = thrown.issues;
    if (issue?.path !== '/workspace_id' || others.length > 0) throw thrown;
    const page = await connection
      .call('workspaces_list', { per_page: SHOWN }, { signal })
      .catch(() => undefined);
    if (page === undefined) throw thrown;
    const { code } = thrown;
    const total = Number(page['total']);
    if (total > 1) {
      throw severalWorkspaces(page['items'] as Named[], total, { flag, code, cause: thrown });
    }
    const at =
      connection.url === undefined || connection.url === DEFAULT_URL ? '' : ` --url ${connection.url}`;
    const next = total === 0 ? `Ingest a folder first: ${commandName()} ingest DIR${at}` : undefined;
    throw new Failure(thrown.message, { code, issues: thrown.issues, next, cause: thrown });
  };
}
