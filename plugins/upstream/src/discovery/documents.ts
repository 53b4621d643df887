import { authorizationServer, WELL_KNOWN } from '@service-mcp/plugin-auth/contract';
import { readJson, type Connection } from '../connection/connection.js';
import { isRecord } from '../connection/refusals.js';

/** What the service says of its authorization server (RFC 8414). */
export interface ServerDocument {
  readonly issuer: string;
}

/** How long what the service said is passed on unasked, and how long it is waited for. */
const KEPT_MS = 60_000;
const PATIENCE_MS = 700;

/**
 * Gives the document of the service's authorization server, within a second: its own, where it can be read, since it
 * alone knows whether its pages have another address; else the last that was read; else as its address suggests.
 */
export function createDocuments(
  connection: Connection,
  isAway: () => boolean,
): () => Promise<ServerDocument> {
  let known: ServerDocument = authorizationServer({ base: connection.base, web: connection.base });
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const path = `${WELL_KNOWN}/oauth-authorization-server`;
    const document = await readJson(connection, path, AbortSignal.timeout(PATIENCE_MS)).catch(
      () => undefined,
    );
    if (!isServerDocument(document)) return;
    known = document;
    readAt = performance.now();
  }

  return async () => {
    if (performance.now() - readAt > KEPT_MS && !isAway()) {
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

/** Clients send people there. */
function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
