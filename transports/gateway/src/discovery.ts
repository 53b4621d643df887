import type { HttpBase } from '@service-mcp/core/http';
import { isRecord, webAddress, within } from '@service-mcp/core/wire';
import { WELL_KNOWN, authorizationServer, mountDiscovery } from '@service-mcp/plugin-auth/contract';
import type { Upstream } from './upstream.js';

/** How long clients may keep a document, and how long they wait for the service's. */
const DOCUMENT_TTL_S = 60;
const READ_TIMEOUT_MS = 700;
/** Addresses that clients open in a browser. */
const ENDPOINTS = ['issuer', 'authorization_endpoint', 'token_endpoint'];

/**
 * The public discovery documents. They name this gateway as the resource and the service's authorization server, so
 * that a rejected client logs in at the service and returns with a token.
 */
export function mountDocuments(http: HttpBase, upstream: Upstream): void {
  const server = createServerDocument(upstream);
  const issuer = async () => (await server()).issuer;
  mountDiscovery(http, { issuer, server, maxAgeS: () => DOCUMENT_TTL_S });
}

/**
 * Returns the document of the service's authorization server (RFC 8414) within a second: the current one, since only the
 * service knows the address of its pages; else the last one; else one derived from the service's address.
 */
function createServerDocument(upstream: Upstream): () => Promise<{ readonly issuer: string }> {
  const { base } = upstream;
  let known: { readonly issuer: string } = authorizationServer({ base, web: base }, false);
  const refresh = async (): Promise<void> => {
    const document = await upstream.readJson(`${WELL_KNOWN}/oauth-authorization-server`);
    if (isRecord(document) && ENDPOINTS.every((name) => webAddress(document[name])))
      known = document as typeof known; // its endpoints were checked
  };
  return async () => {
    await within(READ_TIMEOUT_MS, refresh()).catch(() => undefined);
    return known;
  };
}
