import type { Host } from '@service-mcp/core/host';
import { keyAddress } from './connection/address.js';
import { httpConnection } from './connection/http.js';
import { keepKey, keptKeysFile, readKeptKeys } from './connection/kept-keys.js';
import { Failure } from './failure.js';

/** What a person needs to know of keys and passwords when the service is ready. */
export interface Entry {
  /** Where commands of this machine find the key for this service; undefined where there is none. */
  readonly credentials: string | undefined;
  /** Why the key that is kept for this service is none. */
  readonly stale?: string;
  /** Present at the first run alone. */
  readonly first?: {
    readonly email: string;
    /** Good once, to set a password in a browser. */
    readonly link: string;
    /** Why the new key was not kept; another one is needed. */
    readonly unkept?: string;
  };
}

/**
 * Prepares an empty deployment on this machine: its local owner gets a key, which goes where commands find it. A key
 * of an earlier service at the address is left as it is. Undefined where no plugin keeps accounts or others reach it.
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
  if (!made) {
    const known = await readKeptKeys(file).catch(() => undefined);
    const key = known?.keys.get(address);
    if (key === undefined) return { credentials: undefined };
    if (await isTaken(url, key, file)) return { credentials: file };
    return {
      credentials: undefined,
      stale: `The key for ${address} in ${file} is no good here: it has ended, or is of an earlier service.`,
    };
  }
  const { email, link, key } = made;
  const unkept = await keepKey(file, address, key).then(
    (kept) =>
      kept
        ? undefined
        : `${file} holds a key for ${address} already, of an earlier service there. It was left as it is.`,
    (thrown: unknown) => {
      if (!(thrown instanceof Failure)) throw thrown;
      return [thrown.message, thrown.next].filter(Boolean).join(' ');
    },
  );
  if (unkept === undefined) return { credentials: file, first: { email, link } };
  return { credentials: undefined, first: { email, link, unkept } };
}

/** Whether the service takes a key. One that cannot be tried counts as good. */
async function isTaken(url: string, key: string, source: string): Promise<boolean> {
  try {
    await httpConnection(url, { key, source }).tools('light', AbortSignal.timeout(5_000));
    return true;
  } catch (thrown) {
    return !(thrown instanceof Failure && thrown.code === 'UNAUTHENTICATED');
  }
}
