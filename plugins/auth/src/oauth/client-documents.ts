import { Clock, Deployment, Log, ServiceError, provide, token } from '@service-mcp/core';
import { config, type Settings } from '../config.js';
import { isOutage } from './answer-outage.js';
import { normaliseClientMetadata } from './client-metadata.js';
import { SafeFetch, type OutgoingAccess } from './safe-fetch.js';

/** Any response of this address proves outgoing access. The request says nothing about the deployment. */
const PROBED_URL = 'https://modelcontextprotocol.io/';
/** How long a probe, or a fetch that failed, decides what is advertised. */
const PROBE_TTL_MS = 10 * 60 * 1000;

/** Client-id documents: metadata of an application at the https address that is its client id. */
export interface ClientDocuments {
  /** Does the answer of {@link supported} never change? */
  readonly fixed: boolean;
  /** May applications send an address as client id? Where `auth.client_documents` is `probe`, waits at most 2 s. */
  supported(): Promise<boolean>;
  /**
   * The document at `url`, pinned or fetched, normalised like a registration. Throws INVALID_ARGUMENT for an address
   * that may not be fetched, and for metadata that a registration would reject; UNAVAILABLE for an address that cannot be
   * fetched at the moment.
   */
  fetch(url: string): Promise<Response>;
}
export const ClientDocuments = token<ClientDocuments>('auth.ClientDocuments');

export const clientDocuments = provide(ClientDocuments, {
  uses: { fetch: SafeFetch, settings: config.token, deployment: Deployment, clock: Clock, log: Log },
  create: createClientDocuments,
});

interface Parts {
  readonly fetch: OutgoingAccess;
  readonly settings: Pick<Settings, 'client_documents' | 'pinned_clients'>;
  readonly deployment: Pick<Deployment, 'loopback'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export function createClientDocuments({ fetch, settings, deployment, clock, log }: Parts): ClientDocuments {
  const mode = settings.client_documents ?? (deployment.loopback ? 'probe' : 'always');
  const pinned = new Map(settings.pinned_clients.map((document) => [document.client_id, document]));
  let access: { readonly works: boolean; readonly until: number } | undefined;
  let probing: Promise<boolean> | undefined;

  function remember(works: boolean): boolean {
    if (!works && access?.works !== false)
      log.warn(
        {},
        'no outgoing HTTPS: applications are told to register themselves instead of sending a client-id document (auth.client_documents)',
      );
    access = { works, until: clock.now().getTime() + PROBE_TTL_MS };
    return works;
  }
  function probe(): Promise<boolean> {
    probing ??= fetch
      .reaches(PROBED_URL)
      .then(remember)
      .finally(() => {
        probing = undefined;
      });
    return probing;
  }
  async function fetchDocument(url: string) {
    if (mode === 'never')
      throw new ServiceError('INVALID_ARGUMENT', 'Client-id documents are not fetched. Register instead.');
    try {
      return await fetch(url);
    } catch (err) {
      log.warn({ err, host: new URL(url).host }, 'a client-id document could not be fetched');
      if (mode === 'probe' && isOutage(err)) remember(false);
      throw err;
    }
  }

  return {
    fixed: mode !== 'probe',
    async supported() {
      if (mode !== 'probe') return mode === 'always';
      return access && clock.now().getTime() < access.until ? access.works : probe();
    },
    async fetch(url) {
      const document = pinned.get(url);
      if (document) return Response.json(normaliseClientMetadata(document));
      const { status, headers, text } = await fetchDocument(url);
      if (status !== 200)
        throw new ServiceError(
          status >= 500 || status === 429 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT',
          `The address of the client-id document answered ${status}. Publish the document there.`,
        );
      const caching = [...headers].filter(([name]) => name === 'cache-control' || name === 'expires');
      return Response.json(normaliseClientMetadata(parse(text)), { headers: caching });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError(
      'INVALID_ARGUMENT',
      'The client-id document is not JSON. Publish a JSON object there.',
      { cause },
    );
  }
}
