import { addressFault, baseAddress, webAddress } from '@service-mcp/core/wire';
import { Failure } from '../failure.js';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Hosts that name the same service on a port: this machine. */
const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The address of a service in one form. Throws a Failure that names what is wrong with it. */
export function checkedUrl(text: string): string {
  const fault = addressFault(text);
  if (fault === undefined) return baseAddress(text);
  throw new Failure(`"${text}" is not the address of a service: ${fault}.`, {
    next: `Give one like ${DEFAULT_URL}`,
  });
}

/** The address of `--url`, then of SERVICE_API_URL; undefined where neither is given. */
export function givenUrl({ url }: { readonly url?: string | undefined }): string | undefined {
  return url ?? (process.env['SERVICE_API_URL'] || undefined);
}

/** The address of `--url` or SERVICE_API_URL in one form, else the default one. */
export function chosenUrl(options: { readonly url?: string | undefined }): string {
  return checkedUrl(givenUrl(options) ?? DEFAULT_URL);
}

/** ` --url ADDRESS` for a command that is to reach the service; empty for the default address and for this process. */
export function urlFlag(url: string | undefined): string {
  return url === undefined || url === DEFAULT_URL ? '' : ` --url ${url}`;
}

/**
 * The address that a key belongs to: scheme, host, port and path, with one name for this machine. Undefined for text that
 * is not an http or https address, and for one with a credential in it.
 */
export function keyAddress(text: string): string | undefined {
  const url = webAddress(text);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (THIS_MACHINE.has(url.hostname)) url.hostname = '127.0.0.1';
  return baseAddress(url.href);
}

export function isThisMachine(url: string): boolean {
  return THIS_MACHINE.has(new URL(url).hostname);
}
