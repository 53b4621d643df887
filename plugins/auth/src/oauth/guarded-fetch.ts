import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { ServiceError, token } from '@service-mcp/core';
import { Agent, fetch } from 'undici';
import { isPublicAddress } from './public-address.js';

/** What was fetched: a whole, small answer. */
export interface Fetched {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/**
 * Fetches a document that somebody else names. Throws INVALID_ARGUMENT for what is not https, resolves to an address
 * that is not public, redirects, is too large or too slow.
 */
export type GuardedFetch = (url: string) => Promise<Fetched>;
export const GuardedFetch = token<GuardedFetch & { close?(): Promise<void> }>('auth.GuardedFetch');

export interface GuardedFetchSettings {
  /** Every address of a name. */
  readonly resolve?: (hostname: string) => Promise<ReadonlyArray<{ address: string; family: number }>>;
  /** May this address be connected to? Default: public ones. */
  readonly permits?: (address: string) => boolean;
  readonly timeoutMs?: number;
  readonly limit?: number;
  /** Certificates trusted besides the well-known ones. */
  readonly ca?: string;
}

const TIMEOUT_MS = 5000;
const LIMIT = 32 * 1024;

/** Makes the one way in which this plugin fetches foreign addresses: what was checked is what is connected to. */
export function createGuardedFetch(
  settings: GuardedFetchSettings = {},
): GuardedFetch & { close(): Promise<void> } {
  const resolve =
    settings.resolve ?? ((hostname: string) => resolveName(hostname, { all: true, verbatim: true }));
  const permits = settings.permits ?? isPublicAddress;
  const { timeoutMs = TIMEOUT_MS, limit = LIMIT } = settings;

  const addressesOf = callbackify(async (hostname: string) => {
    const found = await resolve(hostname);
    if (found.length > 0 && found.every(({ address }) => permits(address))) return found;
    throw new Error('the name resolves to an address that is not public');
  });
  const lookup: LookupFunction = (hostname, options, done) => {
    addressesOf(hostname, (error, found) => {
      const first = error ? undefined : found[0];
      if (!first) done(error, '', 0);
      else if (options.all) done(null, [...found]);
      else done(null, first.address, first.family);
    });
  };
  const agent = new Agent({
    connect: { lookup, timeout: timeoutMs, ...(settings.ca !== undefined && { ca: settings.ca }) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 1,
    maxHeaderSize: 16 * 1024,
  });

  async function guarded(text: string): Promise<Fetched> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') throw refused();
    // The URL parser has turned decimal, octal and hexadecimal spellings into the usual one; a literal needs no lookup.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !permits(host)) throw refused();
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, {
        dispatcher: agent,
        redirect: 'error',
        signal,
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      });
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of response.body ?? []) {
        size += chunk.length;
        if (size > limit) throw new Error('the document is too large');
        chunks.push(chunk);
      }
      return { status: response.status, headers: new Map(response.headers), body: Buffer.concat(chunks) };
    } catch (cause) {
      throw refused(cause);
    }
  }
  return Object.assign(guarded, { close: () => agent.destroy() });
}

function refused(cause?: unknown): ServiceError {
  return new ServiceError(
    'INVALID_ARGUMENT',
    'That address cannot be fetched. It must be a public https address that answers at once, without a redirect, with a small document.',
    { cause },
  );
}
