import type { Command } from 'commander';
import { chosenUrl } from '../connection/address.js';
import { addServiceOptions, credentialFor, type ServiceOptions } from '../connection/connect.js';
import type { Credential } from '../connection/credentials.js';
import { askIdentity, maskedKey, type Identity } from '../connection/identity.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

/** A shorter text cannot be a key, so it is not hidden. */
const MIN_SECRET_LENGTH = 8;
const MAX_WORKSPACES = 10;

/** The one line of `--json`, besides the masked key (null where none was found) and its source. */
interface Verdict extends Omit<Identity, 'open'> {
  readonly valid: boolean;
  readonly error?: {
    readonly code: string | undefined;
    readonly message: string;
    readonly next: string | undefined;
  };
}

export function addVerifyKey(program: Command, invocation: Invocation): void {
  const command = program
    .command('verify-key')
    .description('tell whether the key that commands would send is valid, and whose it is');
  addServiceOptions(command)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      [
        '',
        'The key is that of --key-stdin, SERVICE_API_KEY, .mcp.json here and up, or the kept ones, in this order.',
        'Exit codes: 0 valid, or none is needed; 1 refused or missing; 2 the service is out of reach or did not tell.',
      ].join('\n'),
    )
    .action((options: ServiceOptions) => verifyKey(options, invocation));
}

async function verifyKey(options: ServiceOptions, { terminal, signal }: Invocation): Promise<void> {
  const url = chosenUrl(options);
  let credential: Credential | undefined;
  try {
    credential = await credentialFor(url, options, terminal);
    const { open, ...identity } = await askIdentity(url, credential, signal);
    if (terminal.json) tell(terminal, credential, { valid: true, ...identity });
    else show(terminal, url, credential, { open, ...identity });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || signal.aborted) throw thrown;
    refuse(terminal, credential, thrown);
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
  const verdict = open
    ? `The service at ${url} asks for no key.`
    : credential
      ? `The service at ${url} takes this key.`
      : `The server at ${url} needs no key of yours.`; // a gateway that has a key of its own
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

function tell(terminal: Terminal, credential: Credential | undefined, { valid, ...rest }: Verdict): void {
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
