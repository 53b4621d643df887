import { timeLimit } from '@service-mcp/core/wire';
import { explainWithoutAccounts } from '../connection/remedy.js';
import { InvalidArgumentError } from 'commander';
import { chosenUrl, givenUrl, keyAddress } from '../connection/address.js';
import { connect, connectHere, type ConnectionOptions } from '../connection/connect.js';
import type { Connection } from '../connection/connection.js';
import { httpConnection } from '../connection/http.js';
import { chooseWorkspace } from '../connection/workspaces.js';
import { checkKeepable, keepKey, keptKeysFile } from '../connection/kept-keys.js';
import type { ActAs } from '../connection/local.js';
import { isLocal } from '../deployment.js';
import { Failure, isRefusal } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

/** A service that answers later than this is not asked. */
const ASK_MS = 3000;

export interface KeyOptions extends ConnectionOptions {
  /** True: the local owner's. */
  readonly account?: string | true;
}

/** Connects as the account behind the credential that the service gets, or as an account in this process. */
export async function connectForKeys(options: KeyOptions, invocation: Invocation): Promise<Connection> {
  const { account, url: _url, ...rest } = options;
  const as: ActAs = typeof account === 'string' ? { email: account } : 'owner with an account';
  if (account === undefined && !isLocal(options)) return connect(options, invocation, { as });
  return connectHere(rest, { signal: invocation.signal, as });
}

export interface CreateOptions extends KeyOptions {
  readonly scope: string[];
  readonly workspace?: string;
  readonly expires?: string;
  readonly save?: boolean;
  readonly replace?: boolean;
}

/** Makes a key and shows it once; with `save` it is kept in the file of kept keys and not shown. */
export async function createKey(name: string, options: CreateOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const { scope, workspace, expires, save = false, replace = false } = options;
  if (replace && !save) throw new Failure('--replace only works with --save.', { next: 'Give both.' });
  const file = keptKeysFile(process.env);
  await using connection = await connectForKeys(options, invocation);
  // The service that the key is kept for; --url names it even where the work is done in this process.
  const noted = givenUrl(options) === undefined ? connection.servedAt : undefined;
  const url = connection.url ?? noted ?? chosenUrl(options);
  const address = keyAddress(url) ?? url;
  if (save) await checkKeepable(file, address, replace);
  const scopes = scope.length > 0 ? scope : undefined;
  const { secret_key: key, ...record } = await connection
    .call('auth_create_api_key', { name, scopes, workspace_id: workspace, expires_at: expires })
    .catch(explainWithoutAccounts)
    .catch(chooseWorkspace(connection, { workspace_id: workspace }, '--workspace'));
  if (save && connection.url === undefined && !(await isTaken(url, key, invocation.signal))) {
    await connection.call('auth_revoke_api_key', { key_id: record.id });
    throw new Failure(
      `The service at ${url} uses another database than this command: it does not take the key. The key was revoked, and no kept one changed.`,
      { next: 'Name the database of that service: add --data DIR, or set its DATABASE_URL.' },
    );
  }
  const made = `Made the key ${terminal.shade('bold', printable(name))} (${record.id}).`;
  if (save) {
    await keepOrShow({ file, address, key, replace }, terminal);
    if (terminal.json) return terminal.value({ ...record, credentials: file, address });
    return terminal.out(`${made} It is kept in ${file} for ${address}, where commands find it.`);
  }
  if (terminal.json) return terminal.value({ ...record, secret_key: key });
  terminal.say(`${made} It is shown this once; keep it where only its user can read it.`);
  terminal.out(key);
}

/** False where a service answers at an address and refuses the key. */
async function isTaken(url: string, key: string, signal: AbortSignal): Promise<boolean> {
  const within = timeLimit(ASK_MS, signal);
  const service = httpConnection(url, { key, source: 'the new key' }, within);
  return service.call('auth_me', {}).then(
    () => true,
    (thrown: unknown) => !isRefusal(thrown, 'UNAUTHENTICATED'),
  );
}

/** A key that was made and cannot be kept must not be lost: it is shown. */
async function keepOrShow(
  kept: { file: string; address: string; key: string; replace: boolean },
  terminal: Terminal,
): Promise<void> {
  const { file, address, key, replace } = kept;
  const next = 'Add --replace to keep the new key instead.';
  const failure = await keepKey(file, address, key, { replace }).then(
    (done) => (done ? undefined : new Failure(`${file} holds a key for ${address} by now.`, { next })),
    (thrown: unknown) => {
      if (thrown instanceof Failure) return thrown;
      throw thrown;
    },
  );
  if (!failure) return;
  terminal.out(key);
  throw failure.with({}, `${failure.message} The key was made; it is on standard output, this once.`);
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
const MAX_AHEAD_MS = 100 * 366 * 86_400_000;

/** The end of a key as RFC 3339: after `12h`, `30d` or `8w`, or at a date (its midnight, UTC) or time. For commander. */
export function parseExpiry(text: string, now = new Date()): string {
  const [, amount, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const end = amount === undefined ? atDate(text) : now.getTime() + Number(amount) * (UNITS[unit] ?? 0);
  if (Number.isNaN(end))
    throw new InvalidArgumentError('Give a date (2027-01-31) or a duration (30d, 12h, 8w).');
  if (end <= now.getTime()) throw new InvalidArgumentError('That is in the past.');
  if (end > now.getTime() + MAX_AHEAD_MS)
    throw new InvalidArgumentError('That is too far ahead; leave it out for a key without an end.');
  return new Date(end).toISOString();
}

/** NaN for a date that does not exist: Date would carry it over into the next month. */
function atDate(text: string): number {
  if (!DATE.test(text)) return Number.NaN;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const real = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  return real ? Date.parse(text) : Number.NaN;
}
