import { authorizationServer, WELL_KNOWN } from '@service-mcp/plugin-auth/contract';
import { readJson, type Connection } from '../connection/connection.js';
import { isRecord } from '../connection/error-response.js';

/** The service's authorization server metadata (RFC 8414). */
export interface ServerDocument {
  readonly issuer: string;
}

/** How long the document is cached, and the timeout of reading it. */
const DOCUMENT_TTL_MS = 60_000;
const READ_TIMEOUT_MS = 700;

/**
 * Returns the document of the service's authorization server within a second: the current one, since only the service
 * knows the address of its pages; else the cached one; else one derived from the service's address.
 */
export function createServerDocument(
  connection: Connection,
  isAway: () => boolean,
): () => Promise<ServerDocument> {
  let known: ServerDocument = authorizationServer({ base: connection.base, web: connection.base });
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const path = `${WELL_KNOWN}/oauth-authorization-server`;
    const document = await readJson(connection, path, AbortSignal.timeout(READ_TIMEOUT_MS)).catch(
      () => undefined,
    );
    if (!isServerDocument(document)) return;
    known = document;
    readAt = performance.now();
  }

  return async () => {
    if (performance.now() - readAt > DOCUMENT_TTL_MS && !isAway()) {
      reading ??= refresh().finally(() => (reading = undefined));
      await reading;
    }
    return known;
  };
}

const ENDPOINTS = ['issuer', 'authorization_endpoint', 'token_endpoint'];

function isServerDocument(document: unknown): document is ServerDocument {
  return isRecord(document) && ENDPOINTS.every((name) => isWebAddress(document[name]));
}

/** Clients open these addresses in a browser. */
function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
