import { ServiceError, type CallContext } from '@service-mcp/core';
import { isRecord, type Session, type SessionChange, type Sessions } from '@service-mcp/core/wire';

/** State of a handshake client between its requests: over HTTP in its session, over stdio in its connection. */
export interface ClientSession {
  /** As sent in `initialize`. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly logLevel?: string | undefined;
  change(amend: (session: Pick<Session, 'subscriptions'>) => SessionChange): Promise<void>;
}

/** The session of a POST. `onChanged` gets the session after each change, which is done once it has resolved. */
export function sessionOf(
  session: Session,
  sessions: Sessions,
  { caller }: CallContext,
  onChanged: (session: Session) => Promise<void>,
): ClientSession {
  return {
    capabilities: session.capabilities,
    logLevel: session.logLevel,
    async change(amend) {
      await onChanged(await sessions.change(session.id, caller, amend));
    },
  };
}

/** Subscribed resources of one session, and of one `subscriptions/listen`. */
export const MAX_SUBSCRIPTIONS = 100;

/** In characters. */
const MAX_URI_LENGTH = 4096;

export function withSubscription(subscriptions: readonly string[], uri: string): readonly string[] {
  if (subscriptions.includes(uri)) return subscriptions;
  if (uri.length > MAX_URI_LENGTH) {
    const message = `The URI of a subscription has at most ${MAX_URI_LENGTH} characters. Read the resource instead.`;
    throw new ServiceError('INVALID_ARGUMENT', message);
  }
  if (subscriptions.length >= MAX_SUBSCRIPTIONS) throw tooManySubscriptions();
  return [...subscriptions, uri];
}

export function tooManySubscriptions(): ServiceError {
  return new ServiceError(
    'INVALID_ARGUMENT',
    `At most ${MAX_SUBSCRIPTIONS} resources can be subscribed to at once. Unsubscribe from some first.`,
  );
}

/** Do these capabilities allow a request of this method? Elicitation is by form unless they say otherwise. */
export function canReceive(capabilities: unknown, method: string): boolean {
  if (!isRecord(capabilities)) return false;
  if (method === 'roots/list') return isRecord(capabilities['roots']);
  if (method === 'sampling/createMessage') return isRecord(capabilities['sampling']);
  const { elicitation } = capabilities;
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
