import type { Host } from '@service-mcp/core/host';
import { timeLimit } from '@service-mcp/core/wire';
import { keyAddress } from './connection/address.js';
import { httpConnection } from './connection/http.js';
import { keepKey, keptKeysFile, readKeptKeys } from './connection/kept-keys.js';
import { Failure, isRefusal } from './failure.js';

/** Facts about keys and passwords for the person who started the service. */
export interface Entry {
  /** The file where commands of this machine find the key for this service; undefined where there is none. */
  readonly credentials: string | undefined;
  /** The reason why the key that is kept for this service is not valid. */
  readonly stale?: string;
  /** After the first run: the address of the local owner, who has set no password yet. */
  readonly unopened?: string | undefined;
  /** At the first run only. */
  readonly first?: {
    readonly email: string;
    /** Valid once, to set a password in a browser. */
    readonly link: string;
    /** The reason why the new key was not kept; another one is needed. */
    readonly unkept?: string;
  };
}

/**
 * First-run setup of an empty deployment on this machine: its local owner gets a key, which is kept where commands find
 * it. A key of an earlier service at the address stays as it is. Undefined for a deployment without accounts or one
 * that other machines reach.
 */
export async function prepareEntry(
  host: Host,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<Entry | undefined> {
  if (!host.firstRun || !host.deployment.loopback) return undefined;
  const file = keptKeysFile(env);
  const address = keyAddress(url) ?? url;
  const made = await host.firstRun.prepare();
  if (!made)
    return { ...(await existingEntry(file, url, address)), unopened: await host.firstRun.unopened() };
  const { email, link, key } = made;
  const unkept = await keepKey(file, address, key).then(
    (kept) =>
      kept
        ? undefined
        : `${file} already holds a key for ${address}, of an earlier service. It was left as it is.`,
    (thrown: unknown) => {
      if (thrown instanceof Failure) return thrown.line;
      throw thrown;
    },
  );
  const credentials = unkept === undefined ? file : undefined;
  return { credentials, first: { email, link, ...(unkept !== undefined && { unkept }) } };
}

async function existingEntry(file: string, url: string, address: string): Promise<Entry> {
  const known = await readKeptKeys(file).catch(() => undefined);
  const key = known?.keys.get(address);
  if (key === undefined) return { credentials: undefined };
  if (await isAccepted(url, key, file)) return { credentials: file };
  const stale = `The key for ${address} in ${file} is not valid here: it has expired, or is of an earlier service.`;
  return { credentials: undefined, stale };
}

/** Whether the service accepts a key; true where that cannot be checked. */
async function isAccepted(url: string, key: string, source: string): Promise<boolean> {
  const service = httpConnection(url, { key, source }, timeLimit(5_000));
  return service.tools('light').then(
    () => true,
    (thrown: unknown) => !isRefusal(thrown, 'UNAUTHENTICATED'),
  );
}
