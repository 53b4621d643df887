import { amendCall } from '../call.js';
import { matchTemplate } from '../call/uri-template.js';
import type { CallContext } from '../caller.js';
import type { Catalog, ResourceListener } from '../catalog.js';
import type { ChangeEvent } from '../change-events.js';
import { toServiceError } from '../errors.js';
import type { Plugin } from '../plugin.js';

/** The address of a resource, taken apart. In a change, variables that are left out are of any value. */
export interface ResourceAddress {
  readonly template: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Makes the function that tells which resources an event changes. */
export function changedResources(
  plugins: readonly Plugin[],
): (event: ChangeEvent) => readonly ResourceAddress[] {
  const resources = plugins.flatMap((plugin) => plugin.resources);
  return (event) =>
    resources.flatMap(({ uriTemplate: template, changedBy }) => {
      const variables = changedBy?.[event.type]?.(event);
      return variables ? [{ template, variables }] : [];
    });
}

/** Makes the function that takes an address apart: clients may escape more or less of a variable than events. */
export function resourceAddresses(plugins: readonly Plugin[]): (uri: string) => ResourceAddress | undefined {
  const templates = plugins.flatMap(({ resources }) => resources.map(({ uriTemplate }) => uriTemplate));
  return (uri) => {
    for (const template of templates) {
      const variables = matchTemplate(template, uri);
      if (variables) return { template, variables };
    }
    return undefined;
  };
}

function isChanged(address: ResourceAddress | undefined, change: ResourceAddress): boolean {
  return (
    address?.template === change.template &&
    Object.entries(address.variables).every(([name, value]) => (change.variables[name] ?? value) === value)
  );
}

interface FollowedEvents {
  readonly streamEvents: Catalog['streamEvents'];
  readonly changedResources: (event: ChangeEvent) => readonly ResourceAddress[];
  readonly addressOf: (uri: string) => ResourceAddress | undefined;
}

/**
 * Tells the listener of changes of the resources by events that the caller may see then, by the addresses as given, until
 * the returned function is called. Resolves once it listens. The signal of the call limits the opening alone: a subscription outlasts its call.
 */
export async function followResources(
  { streamEvents, changedResources: changedBy, addressOf }: FollowedEvents,
  uris: readonly string[],
  call: CallContext,
  listener: ResourceListener,
): Promise<() => void> {
  if (uris.length === 0) return () => undefined;
  const wanted = uris.map((given) => ({ given, address: addressOf(given) }));
  const ending = new AbortController();
  const { signal } = ending;
  const events = streamEvents(
    { types: [] },
    amendCall(call, {}, () => signal),
  )[Symbol.asyncIterator]();
  const stop = (): void => {
    ending.abort();
    // One that waits to hand an item over would never see the signal. What it throws is told by `next`, or to nobody.
    events.return?.().catch(() => undefined);
  };
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
      for (const change of changedBy(item.event))
        for (const { given, address } of wanted) if (isChanged(address, change)) listener.changed(given);
    }
  };
  void tell().catch((thrown: unknown) => {
    if (!signal.aborted) listener.failed(toServiceError(thrown, call.requestId));
    stop();
  });
  return stop;
}
