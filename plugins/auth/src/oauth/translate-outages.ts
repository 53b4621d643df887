import { errors, type Adapter } from 'oidc-provider';
import { isOutage, UNAVAILABLE } from './answer-outage.js';

/** Makes outages errors of the library, which it shows as RFC 6749 asks: in JSON, in a redirect or on a page. */
export async function translateOutage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isOutage(error)) throw error;
    const translated = new errors.TemporarilyUnavailable(error.message, { cause: error });
    throw Object.assign(translated, { status: UNAVAILABLE, statusCode: UNAVAILABLE });
  }
}

/** An adapter whose outages are errors of the library. */
export function translateOutages(adapter: Adapter): Adapter {
  const methods = Object.entries(adapter).map(([name, method]) => {
    const call = method as (...args: unknown[]) => Promise<unknown>; // each is passed its own arguments
    return [name, (...args: unknown[]) => translateOutage(call(...args))] as const;
  });
  return Object.fromEntries(methods) as unknown as Adapter; // of the same names
}
