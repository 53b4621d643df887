import { timeLimit } from '@service-mcp/core/wire';
import type { Command } from 'commander';
import { chosenUrl } from '../connection/address.js';
import { addServiceOptions, credentialFor, type ServiceOptions } from '../connection/connect.js';
import type { Result } from '../connection/connection.js';
import type { Credential } from '../connection/credentials.js';
import { httpConnection } from '../connection/http.js';
import { foreignService } from '../connection/unreachable.js';
import { EXIT, Failure, isRefusal } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

const IDENTITY_TIMEOUT_MS = 5_000;
/** The form of an API key: its id may be shown, the rest never. */
const KEY = /^(svc_live_[0-9A-Za-z]{10})[0-9A-Za-z]{38}$/;
/** A shorter text cannot be a key, so it is not hidden. */
const MIN_SECRET_LENGTH = 8;
const MAX_WORKSPACES = 10;

type Workspaces = readonly Pick<Result<'auth_me'>['workspaces'][number], 'id' | 'name' | 'role'>[];

/** The caller, as a service identifies them. */
interface Identity {
  readonly email?: string;
  readonly name?: string;
  readonly workspaces?: Workspaces | undefined;
  /** True where the service asks for no credential, so that none was checked. */
  readonly open: boolean;
}

export function addVerifyKey(program: Command, invocation: Invocation): void {
  const command = program
    .command('verify-key')
    .description('check the key that commands send, and show its owner');
  addServiceOptions(command)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      [
        '',
        'The key comes from the first of: --key-stdin, SERVICE_API_KEY, SERVICE_API_KEY_FILE, .mcp.json in this folder or a',
        'parent, credentials.json in the configuration folder.',
        'Exit codes: 0 valid, or not needed; 1 rejected or missing; 2 the service is unreachable or gave no answer.',
      ].join('\n'),
    )
    .action((options: ServiceOptions) => verifyKey(options, invocation));
}

async function verifyKey(options: ServiceOptions, { terminal, signal }: Invocation): Promise<void> {
  let credential: Credential | undefined;
  try {
    const url = reachableUrl(options);
    credential = await credentialFor(url, options, terminal);
    const { open, ...identity } = await askIdentity(url, credential, signal);
    if (terminal.json) tell(terminal, credential, { valid: true, ...identity });
    else show(terminal, url, credential, { open, ...identity });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || signal.aborted) throw thrown;
    refuse(terminal, credential, thrown);
  }
}

/** The chosen address. One that no service can have is out of reach, and says nothing of the key. */
function reachableUrl(options: ServiceOptions): string {
  try {
    return chosenUrl(options);
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown.with({ exit: EXIT.unreachable }) : thrown;
  }
}

function show(
  terminal: Terminal,
  url: string,
  credential: Credential | undefined,
  { open, email, name, workspaces }: Identity,
): void {
  const { out, paint } = terminal;
  const say = (label: string, text: string) =>
    out(`  ${paint('dim', label.padEnd(11))} ${withoutKey(credential, text)}`);
  // A gateway that has a key of its own needs none.
  const accepted = credential
    ? `The service at ${url} takes this key.`
    : `The server at ${url} needs no key of yours.`;
  const verdict = open ? `The service at ${url} asks for no key.` : accepted;
  out(`${paint('green', 'valid')} ${verdict}`);
  if (credential) say(open ? 'not needed' : 'key', `${maskedKey(credential.key)} of ${credential.source}`);
  if (email !== undefined) say('account', `${email}${name ? ` (${name})` : ''}`);
  if (workspaces) say('workspaces', plural(workspaces.length, 'workspace'));
  for (const each of workspaces?.slice(0, MAX_WORKSPACES) ?? [])
    say('', `${each.id}  ${each.name} (${each.role})`);
}

function refuse(terminal: Terminal, credential: Credential | undefined, failure: Failure): void {
  const { exit, code } = failure;
  const message = withoutKey(credential, failure.message);
  const next = failure.next && withoutKey(credential, failure.next);
  if (!terminal.json) throw new Failure(message, { exit, code, next });
  process.exitCode = exit;
  tell(terminal, credential, { valid: false, error: { code, message, next } });
}

/** Prints the one line of `--json`; key and source are null where no key was found. */
function tell(
  terminal: Terminal,
  credential: Credential | undefined,
  { valid, ...rest }: { readonly valid: boolean } & Readonly<Record<string, unknown>>,
): void {
  const masked_key = credential ? maskedKey(credential.key) : null;
  const line = { valid, masked_key, source: credential?.source ?? null, ...rest };
  terminal.out(
    JSON.stringify(line, (_name, value: unknown) =>
      typeof value === 'string' ? withoutKey(credential, value) : value,
    ),
  );
}

/** Safe for a terminal, and without the key: a service may repeat what it was sent. */
function withoutKey(credential: Credential | undefined, text: string): string {
  const clean = printable(text);
  if (!credential || credential.key.length < MIN_SECRET_LENGTH) return clean;
  return clean.replaceAll(credential.key, maskedKey(credential.key));
}

/**
 * Asks the service whose a credential is. Any credential that it accepts will do, whatever its scopes. Throws a Failure:
 * with the code UNAUTHENTICATED where the service needs one and got none or a wrong one; else it exits 2, since nothing
 * is known of the key.
 */
async function askIdentity(
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
): Promise<Identity> {
  const limit = timeLimit(IDENTITY_TIMEOUT_MS);
  try {
    return await ask(url, credential, AbortSignal.any([signal, limit]));
  } catch (thrown) {
    if (signal.aborted || isRefusal(thrown, 'UNAUTHENTICATED')) throw thrown;
    if (limit.aborted) {
      throw new Failure(
        `The service at ${url} did not answer within ${IDENTITY_TIMEOUT_MS / 1000} seconds.`,
        {
          exit: EXIT.unreachable,
          next: 'Try again, or give another address with --url or SERVICE_API_URL.',
          cause: thrown,
        },
      );
    }
    throw thrown instanceof Failure ? thrown.with({ exit: EXIT.unreachable }) : thrown;
  }
}

async function ask(url: string, credential: Credential | undefined, signal: AbortSignal): Promise<Identity> {
  const service = httpConnection(url, credential, signal);
  const account = await service.call('auth_me', {}).catch(unless('UNKNOWN_TOOL'));
  if (account) {
    const { email, name, workspaces } = account;
    if (typeof email !== 'string' || typeof name !== 'string') throw foreignService(url);
    return { email, name, workspaces: checkedWorkspaces(url, workspaces), open: false };
  }
  // A deployment without this tool keeps no accounts, or does not show them. It accepted the credential, if it checks any.
  const page = await service
    .call('workspaces_list', { per_page: 100 })
    .catch(unless('PERMISSION_DENIED', 'UNKNOWN_TOOL'));
  const listed = await httpConnection(url, undefined, signal).tools('light').catch(unless('UNAUTHENTICATED'));
  return { workspaces: page && checkedWorkspaces(url, page.items), open: listed !== undefined };
}

/** For `catch`: undefined for a refusal with one of these codes; everything else is rethrown. */
function unless(...codes: readonly string[]): (thrown: unknown) => undefined {
  return (thrown) => {
    if (!isRefusal(thrown, ...codes)) throw thrown;
  };
}

/** Any server may answer: the parts that are shown are checked. */
function checkedWorkspaces(url: string, found: Workspaces): Workspaces {
  const isText = (value: unknown) => typeof value === 'string';
  if (Array.isArray(found) && found.every((each) => [each?.id, each?.name, each?.role].every(isText)))
    return found.map(({ id, name, role }) => ({ id, name, role }));
  throw foreignService(url);
}

/** Whether a text has the form of an API key. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** The part of a key that may be shown: its id, as the service shows it; of other texts nothing. */
export function maskedKey(key: string): string {
  return `${KEY.exec(key)?.[1] ?? ''}****`;
}
