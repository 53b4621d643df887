import { DEFAULT_URL, checkedUrl } from '../connection/address.js';
import { connect, type ConnectionOptions } from '../connection/connect.js';
import type { Connection } from '../connection/connection.js';
import { localConnection, type ActAs } from '../connection/local.js';
import type { Invocation } from '../invocation.js';

export interface KeyOptions extends ConnectionOptions {
  /** True: the local owner's. */
  readonly account?: string | true;
}

/** Whose keys: of the account behind the credential that a service gets, or of an account in this process. */
export async function connectForKeys(
  options: KeyOptions,
  { terminal, signal }: Invocation,
): Promise<Connection> {
  const { account, url: _url, ...rest } = options;
  const as: ActAs = typeof account === 'string' ? { email: account } : 'owner with an account';
  if (account === undefined && options.config === undefined && options.data === undefined)
    return connect(options, { terminal, signal, workers: false, as });
  return localConnection(rest, false, as);
}

/** The service that a key is kept for; where the work is done in this process, --url names it all the same. */
export function servedAt({ url }: KeyOptions, connection: Connection): string {
  return connection.url ?? checkedUrl(url ?? (process.env['SERVICE_API_URL'] || DEFAULT_URL));
}
