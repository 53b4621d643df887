import { LOCAL_OWNER, ServiceError, type Caller } from '@service-mcp/core';
import type { Host } from '@service-mcp/core/host';
import { commandName } from '../command.js';
import { openHere, type DeploymentOptions } from '../deployment.js';
import { Failure, isTransient, issuesOf } from '../failure.js';
import { explainWithoutAccounts } from '../accounts/without-accounts.js';
import { printable } from '../terminal/format.js';
import { toolEntry } from '@service-mcp/core/wire';
import { toolEntry as fromWire, type Connection } from './connection.js';
import { withRetries } from './retry.js';

/** Whose calls they are in this process: an account by its address, or the local owner, who must have one. */
export type ActAs = { readonly email: string } | 'owner with an account';

/**
 * The tools of a deployment opened in this process: no server is needed, and none is started. Calls are the local
 * owner's, with or without an account, unless `as` says otherwise.
 */
export async function localConnection(
  options: DeploymentOptions,
  workers: boolean,
  as?: ActAs,
): Promise<Connection> {
  const host = await openHere(options, workers);
  const caller = await callerOf(host, as).catch(async (thrown: unknown) => {
    await host.stop();
    throw thrown;
  });
  return {
    where: 'this process',
    url: undefined,
    async tools(toolset, signal) {
      const context = host.call({ caller, signal, selection: { toolsets: [toolset], readOnly: false } });
      const tools = await translating(() => host.catalog.tools(context));
      return tools.map((tool) => fromWire(toolEntry(tool)));
    },
    async call(name, args, { signal, progress, repeatable, onRetry }) {
      const once = () =>
        translating(() =>
          host.catalog.call(name, args, host.call({ caller, signal, ...(progress && { progress }) })),
        );
      const result = await (repeatable ? withRetries(once, { signal, onRetry }) : once());
      if (result.kind === 'complete') return { ...result.structured };
      throw new Failure(
        `${name} asks a question before it goes on, which the command line cannot answer yet.`,
        {
          next: 'Call it from an MCP client that supports elicitation.',
        },
      );
    },
    close: () => host.stop(),
  };
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly administrator: boolean;
  readonly disabled: boolean;
}

async function callerOf(host: Host, as: ActAs | undefined): Promise<Caller> {
  if (as === undefined) return LOCAL_OWNER;
  if (as === 'owner with an account') {
    if (await findAccount(host, ({ id }) => id === LOCAL_OWNER.userId)) return LOCAL_OWNER;
    throw new Failure('The local owner has no account here, so that no key would be good.', {
      next: `Name an account with --account EMAIL (${commandName()} accounts list), or run serve once: it makes one.`,
    });
  }
  const wanted = as.email.trim().toLowerCase();
  const found = await findAccount(host, ({ email }) => email === wanted);
  if (!found) {
    throw new Failure(`There is no account ${printable(wanted)} here.`, {
      next: `List them with: ${commandName()} accounts list`,
    });
  }
  const { id: userId, name, administrator, disabled } = found;
  if (!disabled) return { kind: 'session', userId, name, scopes: ['*'], administrator };
  throw new Failure(`The account ${printable(wanted)} is disabled.`, {
    next: `Enable it with: ${commandName()} accounts enable ${wanted}`,
  });
}

async function findAccount(host: Host, matches: (account: Account) => boolean): Promise<Account | undefined> {
  for (let page = 1; ; page += 1) {
    const reply = await translating(() =>
      host.catalog.call('auth_list_accounts', { page, per_page: 100 }, host.call()),
    ).catch(explainWithoutAccounts);
    if (reply.kind !== 'complete') return undefined;
    const { items, has_next } = reply.structured as unknown as { items: Account[]; has_next: boolean }; // the shape the tool declares
    const found = items.find(matches);
    if (found || !has_next) return found;
  }
}

async function translating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { code, message, details } = thrown;
    throw new Failure(message, {
      code,
      issues: issuesOf(details),
      transient: isTransient(code),
      cause: thrown.cause,
    });
  }
}
