import { amendCall } from '../call.js';
import { expandTemplate, matchTemplate } from '../call/uri-template.js';
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

/** Makes the function that gives an address as events tell it: clients may escape more or less of a variable. */
export function canonicalUris(plugins: readonly Plugin[]): (uri: string) => string {
  const templates = plugins.flatMap(({ resources }) => resources.map(({ uriTemplate }) => uriTemplate));
  return (uri) => {
    for (const template of templates) {
      const variables = matchTemplate(template, uri);
      if (variables) return expandTemplate(template, variables);
    }
    return uri;
  };
}

interface FollowedEvents {
  readonly streamEvents: Catalog['streamEvents'];
  readonly changedResources: (event: ChangeEvent) => readonly string[];
  readonly canonicalUri: (uri: string) => string;
}

/**
 * Tells the listener of changes of the resources by events that the caller may see then, by the addresses as given, until
 * the returned function is called. Resolves once it listens. The signal of the call limits the opening alone: a subscription outlasts its call.
 */
export async function followResources(
  { streamEvents, changedResources: changedBy, canonicalUri }: FollowedEvents,
  uris: readonly string[],
  call: CallContext,
  listener: ResourceListener,
): Promise<() => void> {
  if (uris.length === 0) return () => undefined;
  const wanted = uris.map((given) => ({ given, canonical: canonicalUri(given) }));
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
      for (const uri of changedBy(item.event))
        for (const { given, canonical } of wanted) if (canonical === uri) listener.changed(given);
    }
  };
  void tell().catch((thrown: unknown) => {
    if (!signal.aborted) listener.failed(toServiceError(thrown, call.requestId));
  });
  return stop;
}
