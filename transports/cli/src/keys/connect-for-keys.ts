import { chosenUrl } from '../connection/address.js';
import { connect, connectHere, type ConnectionOptions } from '../connection/connect.js';
import type { Connection } from '../connection/connection.js';
import type { ActAs } from '../connection/local.js';
import { isLocal } from '../deployment.js';
import type { Invocation } from '../invocation.js';

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

/** The service that a key is kept for; --url names it even where the work is done in this process. */
export function servedAt(options: KeyOptions, connection: Connection): string {
  return connection.url ?? chosenUrl(options);
}
