import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { ServiceError, provide, readText, timeLimit, token } from '@service-mcp/core';
import type { Agent, Headers } from 'undici';
import { isPublicAddress } from './public-address.js';

/**
 * Fetches a document from an untrusted address, protected against SSRF. Throws INVALID_ARGUMENT for an address that is
 * not https or not public as it is written; UNAVAILABLE where the connection fails, and for a response that redirects, is
 * too large or too slow. A name that resolves to an internal address fails like one that does not resolve, so that nobody
 * learns the names of a network.
 */
export type SafeFetch = (url: string) => Promise<{
  readonly status: number;
  readonly headers: Iterable<[string, string]> & Pick<Headers, 'get'>;
  readonly text: string;
}>;
export interface OutgoingAccess extends SafeFetch {
  /** Does this https address respond within 2 s, with any status? */
  reaches(url: string): Promise<boolean>;
  close(): Promise<void>;
}
export const SafeFetch = token<OutgoingAccess>('auth.SafeFetch');
export const safeFetch = provide(SafeFetch, {
  uses: {},
  create: () => createSafeFetch(),
  close: (fetching) => fetching.close(),
});

export interface SafeFetchSettings {
  /** All addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<ReadonlyArray<{ address: string; family: number }>>;
  /** Is a connection to this address allowed? Default: public addresses. */
  readonly permits?: (address: string) => boolean;
  readonly timeoutMs?: number;
  readonly limit?: number;
  /** Additional trusted certificates. */
  readonly ca?: string;
}

const TIMEOUT_MS = 5000;
const REACH_TIMEOUT_MS = 2000;
const LIMIT = 32 * 1024;

/** The address check runs inside the connection's DNS lookup, so that the checked address is the one connected to. */
export function createSafeFetch(settings: SafeFetchSettings = {}): OutgoingAccess {
  const resolve =
    settings.resolve ?? ((hostname: string) => resolveName(hostname, { all: true, verbatim: true }));
  const permits = settings.permits ?? isPublicAddress;
  const { timeoutMs = TIMEOUT_MS, limit = LIMIT } = settings;

  const addressesOf = callbackify(async (hostname: string) => {
    const found = await resolve(hostname);
    if (found.length > 0 && found.every(({ address }) => permits(address))) return found;
    throw new Error('the host name resolves to an address that is not public');
  });
  const lookup: LookupFunction = (hostname, options, done) => {
    addressesOf(hostname, (error, found) => {
      const first = error ? undefined : found[0];
      if (!first) done(error, '', 0);
      else if (options.all) done(null, [...found]);
      else done(null, first.address, first.family);
    });
  };
  let agent: Agent | undefined;
  /** Loaded with the first request: it would take a twentieth of a start. */
  async function connect() {
    const { Agent, fetch } = await import('undici');
    agent ??= new Agent({
      connect: { lookup, timeout: timeoutMs, ...(settings.ca !== undefined && { ca: settings.ca }) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: 1,
      maxHeaderSize: 16 * 1024,
      maxResponseSize: limit,
    });
    return { agent, fetch };
  }

  const fetchDocument: SafeFetch = async (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
      throw fetchRejected('INVALID_ARGUMENT');
    // The URL parser normalises decimal, octal and hexadecimal IP addresses. An IP address needs no lookup.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !permits(host)) throw fetchRejected('INVALID_ARGUMENT');
    try {
      const { agent: dispatcher, fetch } = await connect();
      const signal = timeLimit(timeoutMs);
      const response = await fetch(url, {
        dispatcher,
        redirect: 'error',
        signal,
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      });
      const { status, headers, body } = response;
      // Counted once decoded: a server may compress unasked, and the agent counts what it received.
      return { status, headers, text: await readText(body, limit) };
    } catch (cause) {
      throw fetchRejected('UNAVAILABLE', cause);
    }
  };
  const reaches = async (url: string) => {
    try {
      const connected = await connect();
      const signal = timeLimit(REACH_TIMEOUT_MS);
      const { body } = await connected.agent.request({
        origin: new URL(url).origin,
        path: '/',
        method: 'HEAD',
        signal,
      });
      await body.dump();
      return true;
    } catch {
      return false;
    }
  };
  return Object.assign(fetchDocument, { reaches, close: async () => agent?.destroy() });
}

function fetchRejected(code: 'INVALID_ARGUMENT' | 'UNAVAILABLE', cause?: unknown): ServiceError {
  return new ServiceError(
    code,
    'The address cannot be fetched. Use a public https address that answers quickly, without a redirect, with a small document.',
    { cause },
  );
}
