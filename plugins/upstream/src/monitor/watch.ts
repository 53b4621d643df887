import type { CatalogChange, Log, Selection, ServiceError } from '@service-mcp/core';
import { openClient, type Asking } from '../connection/one-call.js';
import { translated } from '../connection/translated.js';

const EVERYTHING: Selection = { toolsets: ['*'], readOnly: false };
const OPENING_MS = 10_000;

/**
 * Listens to what the service tells of its lists, on the gateway's own account, until the signal aborts or the stream
 * ends. False where the service refuses that: then changes are heard of after its restarts alone.
 */
export async function watchChanges(
  asking: Asking,
  { signal, tell, log }: { signal: AbortSignal; tell: (change: CatalogChange) => void; log: Log },
): Promise<boolean> {
  const call = { selection: EVERYTHING, requestId: crypto.randomUUID() };
  const { client } = await openClient(asking, call, true);
  client.setNotificationHandler('notifications/tools/list_changed', () => tell({ kind: 'tools' }));
  client.setNotificationHandler('notifications/prompts/list_changed', () => tell({ kind: 'prompts' }));
  client.setNotificationHandler('notifications/resources/list_changed', () => tell({ kind: 'resources' }));
  try {
    const filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const subscription = await client.listen(filter, { signal, timeout: OPENING_MS });
    await subscription.closed;
    return true;
  } catch (thrown) {
    const error = translated(asking.connection.base, thrown, signal);
    if (!signal.aborted) log.debug({ err: error }, 'the service does not tell of its changes');
    return !isRefusal(error);
  } finally {
    await client.close();
  }
}

/** Was it answered, and in the negative? It would be again. */
function isRefusal({ code }: ServiceError): boolean {
  return code !== 'UNAVAILABLE' && code !== 'DEADLINE_EXCEEDED';
}
