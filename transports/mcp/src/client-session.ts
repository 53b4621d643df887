import { ServiceError, type CallContext } from '@service-mcp/core';
import { isRecord, type Session, type SessionChange, type Sessions } from '@service-mcp/core/wire';

/** What a client of the handshake keeps with us between its requests: over HTTP in its session, over stdio in its connection. */
export interface ClientSession {
  /** What it told in `initialize`. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly logLevel?: string | undefined;
  change(amend: (session: Pick<Session, 'subscriptions'>) => SessionChange): Promise<void>;
}

/** The session of a POST. `changed` is told what it has become. */
export function sessionOf(
  session: Session,
  sessions: Sessions,
  { caller }: CallContext,
  changed: (session: Session) => void,
): ClientSession {
  return {
    capabilities: session.capabilities,
    logLevel: session.logLevel,
    async change(amend) {
      changed(await sessions.change(session.id, caller, amend));
    },
  };
}

/** How many resources a session is subscribed to at most; more of one `subscriptions/listen` are refused too. */
export const MOST_SUBSCRIPTIONS = 100;

/** The longest address, in characters, that a session keeps. */
const LONGEST_URI = 4096;

export function subscribed(subscriptions: readonly string[], uri: string): readonly string[] {
  if (subscriptions.includes(uri)) return subscriptions;
  if (uri.length > LONGEST_URI) {
    const message = `An address of at most ${LONGEST_URI} characters can be subscribed to. Read the resource instead.`;
    throw new ServiceError('INVALID_ARGUMENT', message);
  }
  if (subscriptions.length >= MOST_SUBSCRIPTIONS) throw tooManySubscriptions();
  return [...subscriptions, uri];
}

export function tooManySubscriptions(): ServiceError {
  return new ServiceError(
    'INVALID_ARGUMENT',
    `At most ${MOST_SUBSCRIPTIONS} resources can be subscribed to at once. Unsubscribe from some, or subscribe to what matters most.`,
  );
}

/** Can a client with these capabilities be asked by this method? Elicitation is by form unless it says otherwise. */
export function canBeAsked(capabilities: unknown, method: string): boolean {
  if (!isRecord(capabilities)) return false;
  if (method === 'roots/list') return isRecord(capabilities['roots']);
  if (method === 'sampling/createMessage') return isRecord(capabilities['sampling']);
  const { elicitation } = capabilities;
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
