import type { Command } from 'commander';
import { checkedUrl, DEFAULT_URL } from '../connection/address.js';
import { credentialFor } from '../connection/connect.js';
import type { Credential } from '../connection/credentials.js';
import { askIdentity, maskedKey, type Identity } from '../connection/identity.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

const SHORTEST_SECRET = 8;

interface VerifyOptions {
  readonly url?: string;
  readonly keyStdin?: boolean;
}

/** The one line of `--json`. */
interface Verdict {
  readonly valid: boolean;
  /** Null where no key was found. */
  readonly masked_key: string | null;
  readonly email?: string;
  readonly name?: string;
  readonly workspaces?: Identity['workspaces'];
  readonly error?: { readonly code?: string; readonly message: string; readonly next?: string };
  /** Where the key was found: `--key-stdin`, `SERVICE_API_KEY` or a path; null where none was. */
  readonly source: string | null;
}

export function addVerifyKey(program: Command, invocation: Invocation): void {
  program
    .command('verify-key')
    .description('tell whether the key that commands would send is good, and whose it is')
    .option('--url <address>', `address of the service (env SERVICE_API_URL; default: ${DEFAULT_URL})`)
    .option('--key-stdin', 'read the API key from standard input (env SERVICE_API_KEY)')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      [
        '',
        'The key is that of --key-stdin, SERVICE_API_KEY, .mcp.json here and up, or the kept ones, in this order.',
        'Exit codes: 0 good, or none is needed; 1 refused or missing; 2 the service is out of reach or did not tell.',
      ].join('\n'),
    )
    .action((options: VerifyOptions) => verifyKey(options, invocation));
}

async function verifyKey(options: VerifyOptions, { terminal, signal }: Invocation): Promise<void> {
  const url = checkedUrl(options.url ?? (process.env['SERVICE_API_URL'] || DEFAULT_URL));
  let credential: Credential | undefined;
  try {
    credential = await credentialFor(url, true, options, terminal);
    const identity = await askIdentity(url, credential, signal);
    show(terminal, url, credential, identity);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || signal.aborted) throw thrown;
    // What was found as a key and is none is not to be seen either: no credential came of it.
    refuse(terminal, credential, thrown);
  }
}

function show(
  terminal: Terminal,
  url: string,
  credential: Credential | undefined,
  { open, ...identity }: Identity,
): void {
  if (terminal.json) return tell(terminal, credential, { valid: true, ...found(credential), ...identity });
  const { email, name, workspaces } = identity;
  const say = (label: string, text: string) =>
    terminal.out(`  ${terminal.paint('dim', label.padEnd(11))} ${without(credential, text)}`);
  if (open) {
    terminal.out(`${terminal.paint('green', 'good')} The service at ${url} asks for no key.`);
    if (credential) say('not needed', `${maskedKey(credential.key)} of ${credential.source}`);
  } else if (credential) {
    terminal.out(`${terminal.paint('green', 'good')} The service at ${url} takes this key.`);
    say('key', `${maskedKey(credential.key)} of ${credential.source}`);
  } else {
    // A gateway that has a key of its own.
    terminal.out(`${terminal.paint('green', 'good')} What answers at ${url} needs no key of yours.`);
  }
  if (email !== undefined) say('account', `${email}${name ? ` (${name})` : ''}`);
  if (workspaces) say('workspaces', plural(workspaces.length, 'workspace'));
  for (const each of workspaces?.slice(0, 10) ?? []) say('', `${each.id}  ${each.name} (${each.role})`);
}

function refuse(terminal: Terminal, credential: Credential | undefined, failure: Failure): void {
  const { exit, code } = failure;
  const message = without(credential, failure.message);
  const next = failure.next === undefined ? undefined : without(credential, failure.next);
  if (!terminal.json) throw new Failure(message, { exit, code, next });
  process.exitCode = exit;
  const error = { ...(code !== undefined && { code }), message, ...(next !== undefined && { next }) };
  tell(terminal, credential, { valid: false, ...found(credential), error });
}

function found(credential: Credential | undefined): Pick<Verdict, 'masked_key' | 'source'> {
  return credential
    ? { masked_key: maskedKey(credential.key), source: credential.source }
    : { masked_key: null, source: null };
}

function tell(terminal: Terminal, credential: Credential | undefined, verdict: Verdict): void {
  const line = JSON.stringify(verdict, (_name, value: unknown) =>
    typeof value === 'string' ? without(credential, value) : value,
  );
  terminal.out(line);
}

/** For a terminal, and without the key: a service may repeat what it was sent. A text too short for a key is no secret. */
function without(credential: Credential | undefined, text: string): string {
  const clean = printable(text);
  if (!credential || credential.key.length < SHORTEST_SECRET) return clean;
  return clean.replaceAll(credential.key, maskedKey(credential.key));
}
