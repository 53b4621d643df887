import { Failure } from '../failure.js';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Hosts that are one and the same service on a port: this machine. */
const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The address in one form: http or https, without credentials and without a slash at the end. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  }
  throw new Failure(`"${text}" is no address of a service.`, { next: `Give one like ${DEFAULT_URL}` });
}

/**
 * The address that a key belongs to: scheme, host, port and path, the names of this machine being one.
 * Undefined for text that is no address.
 */
export function keyAddress(text: string): string | undefined {
  try {
    const url = new URL(checkedUrl(text));
    if (THIS_MACHINE.has(url.hostname)) url.hostname = '127.0.0.1';
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  } catch {
    return undefined;
  }
}

export function isThisMachine(url: string): boolean {
  return THIS_MACHINE.has(new URL(url).hostname);
}
