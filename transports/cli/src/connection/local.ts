import { LOCAL_OWNER, ServiceError, parseLines, type CallContext, type Caller } from '@service-mcp/core';
import type { Host } from '@service-mcp/core/host';
import { toolEntry, unanswerable } from '@service-mcp/core/wire';
import { deploymentFlags, type DeploymentOptions } from '../deployment.js';
import { openHere } from '../open-here.js';
import { Failure, refusal } from '../failure.js';
import { explainWithoutAccounts } from './remedy.js';
import { commandName } from '../command-name.js';
import { printable } from '../terminal/format.js';
import { listAll, type CallOptions, type Connection, type Item, type Result } from './connection.js';
import { withRetries } from './retry.js';

/** The caller in this process: an account by its address, or the local owner, who must have one. */
export type ActAs = { readonly email: string } | 'owner with an account';

/**
 * The tools of a deployment opened in this process: no server is needed, and none is started. Calls are the local
 * owner's, with or without an account, unless `as` says otherwise.
 */
export async function localConnection(
  options: DeploymentOptions,
  context: {
    readonly signal: AbortSignal;
    readonly workers?: boolean;
    readonly as?: ActAs | undefined;
    /** Creates a missing database, and tells the person; without it, a missing one is a Failure. */
    readonly onCreate?: (line: string) => void;
  },
): Promise<Connection> {
  const { as, signal, workers = false, onCreate } = context;
  const host = await openHere(options, { workers, ...(onCreate && { onCreate }) });
  const target = deploymentFlags(options);
  const owner = connectionTo(host, LOCAL_OWNER, { signal, target });
  if (as === undefined) return owner;
  try {
    const accounts = await listAll(owner, 'auth_list_accounts', {}).catch(explainWithoutAccounts);
    return connectionTo(host, callerAmong(accounts, as, target), { signal, target });
  } catch (thrown) {
    await host.stop();
    throw thrown;
  }
}

function connectionTo(
  host: Host,
  caller: Caller,
  { signal, target }: { readonly signal: AbortSignal; readonly target: string },
): Connection {
  return {
    where: 'this process',
    url: undefined,
    target,
    servedAt: host.servedAt,
    async tools(toolset) {
      const context = host.call({ caller, signal, selection: { toolsets: [toolset], readOnly: false } });
      return (await translating(() => host.catalog.tools(context))).map(toolEntry);
    },
    async call<Name extends string>(name: Name, args: object, options: CallOptions = {}) {
      const sent = { signal, ...options };
      const once = () => complete(host, name, args, host.call({ caller, signal: sent.signal }));
      const isRetried = options.repeatable && options.attempt === undefined;
      return (await (isRetried ? withRetries(once, sent) : once())) as Result<Name>; // the tool declares its schema
    },
    async read(name, args) {
      const { structured, text } = await finish(host, name, args, host.call({ caller, signal }));
      return text?.(structured) ?? JSON.stringify(structured);
    },
    async upload(name, args, lines) {
      const call = host.call({ caller, signal, surface: 'rest', lines: parseLines(lines) });
      return (await complete(host, name, args, call)) as Result<typeof name>; // the tool declares its schema
    },
    async download(name, args, write) {
      const lineOf = (value: object) => write(Buffer.from(`${JSON.stringify(value)}\n`));
      const call = host.call({ caller, signal, surface: 'rest', send: lineOf });
      const end = await complete(host, name, args, call);
      await lineOf(end);
      return end as Result<typeof name>; // as above
    },
    [Symbol.asyncDispose]: () => host.stop(),
  };
}

async function complete(host: Host, name: string, args: object, call: CallContext): Promise<object> {
  return { ...(await finish(host, name, args, call)).structured };
}

async function finish(host: Host, name: string, args: object, call: CallContext) {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  return translating(async () => {
    const result = await host.catalog.call(name, given, call);
    if (result.kind === 'input_required') throw unanswerable(result);
    return result;
  });
}

/** `target` are the flags that lead commands to the deployment. */
function callerAmong(accounts: readonly Item<'auth_list_accounts'>[], as: ActAs, target: string): Caller {
  const list = `${commandName()} accounts list${target}`;
  if (as === 'owner with an account') {
    if (accounts.some(({ id }) => id === LOCAL_OWNER.userId)) return LOCAL_OWNER;
    throw new Failure('The local owner has no account here, so a key of theirs would not be valid.', {
      next:
        accounts.length === 0
          ? `Make an account with: ${commandName()} accounts create EMAIL${target}`
          : `Name the account whose key it is to be: --account ${emailsOf(accounts, list)}`,
    });
  }
  const email = as.email.trim().toLowerCase();
  const found = accounts.find((account) => account.email === email);
  if (!found) {
    throw new Failure(`There is no account ${printable(email)} here.`, {
      next: `List them with: ${list}`,
    });
  }
  const { id: userId, name, administrator, disabled } = found;
  if (!disabled) return { kind: 'session', userId, name, scopes: ['*'], administrator };
  throw new Failure(`The account ${printable(email)} is disabled.`, {
    next: `Enable it with: ${commandName()} accounts enable ${email}${target}`,
  });
}

const MAX_NAMED = 5;

/** Such as `a@example.com, or b@example.com`. */
function emailsOf(accounts: readonly Item<'auth_list_accounts'>[], list: string): string {
  const named = accounts
    .filter(({ disabled }) => !disabled)
    .slice(0, MAX_NAMED)
    .map(({ email }) => printable(email));
  const others = accounts.length > MAX_NAMED ? [`one of ${list}`] : [];
  return [...named, ...others].join(', or ');
}

async function translating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    throw refusal(thrown.code, thrown.message, thrown.details, { cause: thrown.cause });
  }
}
