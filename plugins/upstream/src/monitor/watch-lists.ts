import type { CatalogChange, Log, Selection, ServiceError } from '@service-mcp/core';
import { openClient, type ServiceAccess } from '../connection/call-client.js';
import { mapError } from '../connection/map-error.js';

const EVERYTHING: Selection = { toolsets: ['*'], readOnly: false };
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Listens for changes of the service's lists with the gateway's own credential, until the signal aborts or the stream
 * ends. False when the service rejects it: then the gateway learns of changes only when the service restarts.
 */
export async function watchLists(
  access: ServiceAccess,
  { signal, notify, log }: { signal: AbortSignal; notify: (change: CatalogChange) => void; log: Log },
): Promise<boolean> {
  const call = { selection: EVERYTHING, requestId: crypto.randomUUID() };
  const { client } = await openClient(access, call, true);
  client.setNotificationHandler('notifications/tools/list_changed', () => notify({ kind: 'tools' }));
  client.setNotificationHandler('notifications/prompts/list_changed', () => notify({ kind: 'prompts' }));
  client.setNotificationHandler('notifications/resources/list_changed', () => notify({ kind: 'resources' }));
  try {
    const filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const subscription = await client.listen(filter, { signal, timeout: OPEN_TIMEOUT_MS });
    await subscription.closed;
    return true;
  } catch (thrown) {
    const error = mapError(access.connection.base, thrown, signal);
    if (!signal.aborted) log.debug({ err: error }, 'listening for changes of the service failed');
    return !isRejection(error);
  } finally {
    await client.close();
  }
}

/** Did the service itself reject it? A retry would fail too. */
function isRejection({ code }: ServiceError): boolean {
  return code !== 'UNAVAILABLE' && code !== 'DEADLINE_EXCEEDED';
}
