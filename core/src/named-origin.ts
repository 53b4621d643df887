import { isLoopback } from './http/guard.js';

/**
 * An origin of this service by the name that the request has for it: a loopback address has several, and OAuth clients
 * take only metadata whose `resource` is at the address that they were given (RFC 9728, 3.3). The guard has checked Host.
 */
export function namedOrigin({ host }: { readonly host: string }, origin: string): string {
  const { protocol, hostname } = new URL(origin);
  const named = `${protocol}//${host}`;
  if (!isLoopback(hostname) || !URL.canParse(named)) return origin;
  const asked = new URL(named);
  return isLoopback(asked.hostname) ? asked.origin : origin;
}
