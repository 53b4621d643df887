import type { HttpBase } from '@service-mcp/core/http';
import { isRecord } from '@service-mcp/core/wire';
import {
  MCP_PATHS,
  SERVER_DOCUMENTS,
  WELL_KNOWN,
  authorizationServer,
  protectedResource,
} from '@service-mcp/plugin-auth/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Upstream } from './upstream.js';

/** How long the service's document is kept, and how long a client waits for a newer one. */
const DOCUMENT_TTL_MS = 60_000;
const READ_TIMEOUT_MS = 700;
const ENDPOINTS = ['issuer', 'authorization_endpoint', 'token_endpoint'];

/**
 * The public discovery documents. They name this gateway as the resource and the service's authorization server, so
 * that a rejected client logs in at the service and returns with a token.
 */
export function mountDiscovery({ router, ...http }: HttpBase, upstream: Upstream): void {
  const serverDocument = createServerDocument(upstream);
  const serve = (addresses: readonly string[], document: () => Promise<object>): void => {
    http.openTo(...addresses);
    router.get([...addresses], async (ctx) => {
      ctx.body = await document();
      ctx.set('Cache-Control', 'public, max-age=60');
      ctx.vary('Origin'); // CORS headers depend on the Origin
    });
  };
  for (const path of ['', ...MCP_PATHS]) {
    serve([`${WELL_KNOWN}/oauth-protected-resource${path}`], async () =>
      protectedResource(`${http.origins().mcp}${path}`, (await serverDocument()).issuer),
    );
  }
  for (const name of SERVER_DOCUMENTS) {
    const document = `${WELL_KNOWN}/${name}`;
    serve([document, ...MCP_PATHS.flatMap((path) => [document + path, path + document])], serverDocument);
  }
}

/**
 * Returns the document of the service's authorization server (RFC 8414) within a second: the current one, since only the
 * service knows the address of its pages; else the last one; else one derived from the service's address.
 */
function createServerDocument(upstream: Upstream): () => Promise<{ readonly issuer: string }> {
  const { base } = upstream;
  let known: { readonly issuer: string } = authorizationServer({ base, web: base });
  let readAt = -Infinity;
  const refresh = async (): Promise<void> => {
    const document = await upstream.readJson(`${WELL_KNOWN}/oauth-authorization-server`);
    if (!isRecord(document) || !ENDPOINTS.every((name) => isWebAddress(document[name]))) return;
    known = document as typeof known; // its endpoints were checked
    readAt = performance.now();
  };
  return async () => {
    if (performance.now() - readAt > DOCUMENT_TTL_MS && upstream.wasUp !== false)
      await Promise.race([
        refresh().catch(() => undefined),
        sleep(READ_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    return known;
  };
}

/** Clients open these addresses in a browser. */
function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
