import { explainWithoutAccounts } from '../accounts/without-accounts.js';
import { keyAddress } from '../connection/address.js';
import { checkKeepable, keepKey, keptKeysFile } from '../connection/kept-keys.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../terminal/format.js';
import { connectForKeys, servedAt, type KeyOptions } from './connect.js';

export interface CreateOptions extends KeyOptions {
  readonly scope: string[];
  readonly workspace?: string;
  readonly expires?: string;
  readonly save?: boolean;
  readonly replace?: boolean;
}

/** Makes a key and shows it once; with `save` it goes to the file of kept keys and is not shown. */
export async function createKey(name: string, options: CreateOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const { scope, workspace, expires, save = false, replace = false } = options;
  if (replace && !save) throw new Failure('--replace says what --save does.', { next: 'Give both.' });
  const file = keptKeysFile(process.env);
  const connection = await connectForKeys(options, invocation);
  try {
    const url = servedAt(options, connection);
    const address = keyAddress(url) ?? url;
    if (save) await checkKeepable(file, address, replace);
    const args = {
      name,
      ...(scope.length > 0 && { scopes: scope }),
      ...(workspace !== undefined && { workspace_id: workspace }),
      ...(expires !== undefined && { expires_at: expires }),
    };
    const { secret_key, ...record } = await connection
      .call('auth_create_api_key', args, { signal })
      .catch(explainWithoutAccounts);
    const key = String(secret_key);
    const made = `Made the key ${terminal.shade('bold', printable(name))} (${String(record['id'])}).`;
    if (save) {
      await keepOrShow({ file, address, key, replace }, invocation);
      if (terminal.json) return terminal.value({ ...record, credentials: file, address });
      terminal.out(`${made} It is kept in ${file} for ${address}, where commands find it.`);
      return;
    }
    if (terminal.json) return terminal.value({ ...record, secret_key });
    terminal.say(`${made} It is shown this once; keep it where only what needs it can read it.`);
    terminal.out(key);
  } finally {
    await connection.close();
  }
}

/** A key that was made and cannot be kept after all must not be lost. */
async function keepOrShow(
  kept: { file: string; address: string; key: string; replace: boolean },
  { terminal }: Invocation,
): Promise<void> {
  const { file, address, key, replace } = kept;
  const show = (message: string, next: string | undefined) => {
    terminal.out(key);
    return new Failure(`${message} The key was made; it is on standard output, this once.`, { next });
  };
  const done = await keepKey(file, address, key, { replace }).catch((thrown: unknown) => {
    throw thrown instanceof Failure ? show(thrown.message, thrown.next) : thrown;
  });
  if (!done)
    throw show(`${file} holds a key for ${address} by now.`, 'Add --replace to put a new one in its place.');
}
