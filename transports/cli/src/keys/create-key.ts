import { explainWithoutAccounts } from '../connection/remedy.js';
import { keyAddress } from '../connection/address.js';
import { checkKeepable, keepKey, keptKeysFile } from '../connection/kept-keys.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import { connectForKeys, servedAt, type KeyOptions } from './connect-for-keys.js';

export interface CreateOptions extends KeyOptions {
  readonly scope: string[];
  readonly workspace?: string;
  readonly expires?: string;
  readonly save?: boolean;
  readonly replace?: boolean;
}

/** Makes a key and shows it once; with `save` it is kept in the file of kept keys and not shown. */
export async function createKey(name: string, options: CreateOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const { scope, workspace, expires, save = false, replace = false } = options;
  if (replace && !save) throw new Failure('--replace only works with --save.', { next: 'Give both.' });
  const file = keptKeysFile(process.env);
  await using connection = await connectForKeys(options, invocation);
  const url = servedAt(options, connection);
  const address = keyAddress(url) ?? url;
  if (save) await checkKeepable(file, address, replace);
  const { secret_key: key, ...record } = await connection
    .call(
      'auth_create_api_key',
      {
        name,
        scopes: scope.length > 0 ? scope : undefined,
        workspace_id: workspace,
        expires_at: expires,
      },
      { signal },
    )
    .catch(explainWithoutAccounts);
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
