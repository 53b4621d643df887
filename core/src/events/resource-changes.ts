import { amendCall } from '../call.js';
import { expandTemplate } from '../call/uri-template.js';
import type { CallContext } from '../caller.js';
import type { Catalog, ResourceListener } from '../catalog.js';
import type { ChangeEvent } from '../change-events.js';
import { toServiceError } from '../errors.js';
import type { Plugin } from '../plugin.js';

/** Makes the function that tells the addresses of the resources that an event changes. */
export function changedResources(plugins: readonly Plugin[]): (event: ChangeEvent) => readonly string[] {
  const resources = plugins.flatMap((plugin) => plugin.resources);
  return (event) =>
    resources.flatMap(({ uriTemplate, changedBy }) => {
      const variables = changedBy?.[event.type]?.(event);
      return variables ? [expandTemplate(uriTemplate, variables)] : [];
    });
}

interface FollowedEvents {
  readonly streamEvents: Catalog['streamEvents'];
  readonly changedResources: (event: ChangeEvent) => readonly string[];
}

/**
 * Tells the listener of changes of the resources by events that the caller may see then, until the returned function is
 * called. Resolves once it listens. The signal of the call limits the opening alone: a subscription outlasts its call.
 */
export async function followResources(
  { streamEvents, changedResources: changedBy }: FollowedEvents,
  uris: readonly string[],
  call: CallContext,
  listener: ResourceListener,
): Promise<() => void> {
  if (uris.length === 0) return () => undefined;
  const wanted = new Set(uris);
  const ending = new AbortController();
  const { signal } = ending;
  const stop = (): void => ending.abort();
  const events = streamEvents(
    { types: [] },
    amendCall(call, {}, () => signal),
  )[Symbol.asyncIterator]();
  const opening = call.signal;
  opening.addEventListener('abort', stop, { once: true });
  try {
    opening.throwIfAborted();
    await events.next(); // opened: later events are told
    opening.throwIfAborted();
  } catch (thrown) {
    stop();
    throw thrown;
  } finally {
    opening.removeEventListener('abort', stop);
  }
  const tell = async (): Promise<void> => {
    for (;;) {
      const { done, value: item } = await events.next();
      if (done || signal.aborted) return;
      if (item.kind !== 'event') continue;
      for (const uri of changedBy(item.event)) if (wanted.has(uri)) listener.changed(uri);
    }
  };
  void tell().catch((thrown: unknown) => {
    if (!signal.aborted) listener.failed(toServiceError(thrown, call.requestId));
  });
  return stop;
}
