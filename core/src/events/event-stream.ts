import { mayUse, type CallContext } from '../caller.js';
import type { Catalog, StreamedEvent, EventStreamRequest } from '../catalog.js';
import { ServiceError, invalidArgument } from '../errors.js';
import type { Plugin } from '../plugin.js';
import type { ChangeEvent } from '../change-events.js';
import type { Admissions } from '../call/admission.js';
import type { Seal } from '../seal.js';
import type { EventFeed } from './event-feed.js';
import { isOutage } from '../storage/outages.js';
import { eventTypesOf } from './event-types.js';
import { openPosition, RememberedWorkspaces, sealPosition } from './stream-position.js';

/** Whose access changes: of the person that the event names, else of anybody. */
function concerns({ data }: ChangeEvent, { caller }: CallContext): boolean {
  return data['user_id'] === undefined || data['user_id'] === caller.userId;
}

/** The one workspace that a reader follows is gone, or out of its sight. */
function noneLeft(thrown: unknown): ReadonlySet<string> {
  if (thrown instanceof ServiceError && thrown.code === 'NOT_FOUND') return new Set();
  throw thrown;
}

/** A position that no event has: reading from it begins with `reset`. */
const UNKNOWN = 'unknown';
/** How long a reader's visible workspaces are cached. An event that changes access drops the cache at once. */
const VISIBILITY_TTL_MS = 5_000;

/** Makes `Catalog.streamEvents`: the events of the feed, confined to the workspaces of the caller. */
export function createEventStream(
  plugins: readonly Plugin[],
  {
    feed,
    admissions,
    seal,
  }: { readonly feed: EventFeed; readonly admissions: Admissions; readonly seal: Seal },
): Catalog['streamEvents'] {
  const known = new Map(eventTypesOf(plugins).map((event) => [event.type, event]));

  const lookUp = async (call: CallContext, workspaceId: string | undefined): Promise<ReadonlySet<string>> => {
    const args = workspaceId === undefined ? {} : { workspace_id: workspaceId };
    const access = { scope: 'authenticated', in: 'visible', role: 'viewer' } as const;
    return new Set((await admissions.admit(access, 'read', args, call)).workspaces.keys());
  };
  /** After an event that changes access, one look-up for all readers of a person. */
  const after = new WeakMap<ChangeEvent, Map<string, Promise<ReadonlySet<string>>>>();
  const lookUpAfter = (event: ChangeEvent, call: CallContext, workspaceId: string | undefined) => {
    const { kind, userId, workspaceId: confined = '' } = call.caller;
    const key = [kind, userId, confined, workspaceId ?? ''].join(' ');
    const asked = after.get(event) ?? new Map<string, Promise<ReadonlySet<string>>>();
    after.set(event, asked);
    const found = asked.get(key) ?? lookUp(call, workspaceId);
    asked.set(key, found);
    return found;
  };

  return async function* streamEvents(
    request: EventStreamRequest,
    call: CallContext,
  ): AsyncGenerator<StreamedEvent> {
    const { types, workspaceId } = request;
    const strange = types.find((type) => !known.has(type));
    if (strange !== undefined) {
      throw invalidArgument(
        '/types',
        `"${strange.slice(0, 64)}" is not an event type of this service. Known types: ${[...known.keys()].sort().join(', ')}`,
      );
    }
    if (call.caller.kind === 'anonymous')
      throw new ServiceError('UNAUTHENTICATED', 'This needs a credential.');
    const from = request.after === undefined ? undefined : openPosition(seal, request.after, call.caller);
    const remembered = new RememberedWorkspaces(from?.remembered);
    let gone: unknown;
    let workspaces = await lookUp(call, workspaceId).catch((thrown: unknown) => {
      if (workspaceId === undefined || !remembered.has(workspaceId)) throw thrown;
      gone = thrown; // while the reader was away: it is told so by the event
      return noneLeft(thrown);
    });
    remembered.add(workspaces);
    let seenAt = performance.now();
    for await (const item of feed.read(
      request.after === undefined ? undefined : (from?.place ?? UNKNOWN),
      call.signal,
    )) {
      if (item.kind !== 'event') {
        if (item.kind === 'reset') {
          if (gone !== undefined) throw gone;
          remembered.clear();
          remembered.add(workspaces);
        }
        const position = sealerOf(item.id, remembered, call);
        yield { kind: item.kind, id: position() };
        continue;
      }
      const { type, workspaceId: place } = item.event;
      const kind = known.get(type);
      const changed = (kind?.changesAccess ?? false) && concerns(item.event, call);
      if (changed || performance.now() - seenAt > VISIBILITY_TTL_MS) {
        const found = changed ? lookUpAfter(item.event, call, workspaceId) : lookUp(call, workspaceId);
        // A look that nothing called for may fail in an outage: what changes access comes as an event.
        workspaces = await found.catch((thrown: unknown) =>
          !changed && isOutage(thrown) ? workspaces : noneLeft(thrown),
        );
        remembered.add(workspaces);
        seenAt = performance.now();
      }
      // The event that removes access is the last one that the reader gets of the workspace.
      const isInScope = workspaceId === undefined || workspaceId === place;
      const isLast =
        changed && isInScope && place !== null && !workspaces.has(place) && remembered.has(place);
      if (isLast) remembered.delete(place);
      if (!kind || !mayUse(call.caller, kind.scope)) continue;
      if (types.length > 0 && !types.includes(type)) continue;
      const visible = place === null ? workspaceId === undefined : isLast || workspaces.has(place);
      if (!visible) continue;
      const position = sealerOf(item.event.id, remembered, call);
      const event = Object.defineProperty({ ...item.event }, 'id', { get: position, enumerable: true });
      yield { kind: 'event', event };
    }
  };

  /** Seals the position when it is asked for: subscriptions never do. */
  function sealerOf(place: string, remembered: RememberedWorkspaces, { caller }: CallContext): () => string {
    const position = { place, remembered: remembered.toString() };
    return () => sealPosition(seal, position, caller);
  }
}
