import type { Caller } from './caller.js';
import { ServiceError } from './errors.js';

/** An MCP session. It holds no server and no stream, so that thousands cost little. */
export interface Session {
  readonly id: string;
  readonly protocolVersion: string;
  /** Those of the client, from `initialize`. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The lowest level of log messages that the client asked for. */
  readonly logLevel?: string;
  /** URIs of the resources that the client subscribed to. */
  readonly subscriptions: readonly string[];
  /** {@link Sessions.lists} when the client opened the session or last listed its tools. */
  readonly lists?: string;
}

/** Data that a client sends about itself when it opens a session. */
export type SessionStart = Pick<Session, 'protocolVersion' | 'capabilities'>;
/** Fields that a client may change in its session. */
export type SessionChange = Partial<Pick<Session, 'logLevel' | 'subscriptions' | 'lists'>>;

/**
 * The sessions that `initialize` opens. One belongs to the credential that opened it: with another it does not exist.
 * All but `open` throw UNKNOWN_SESSION where there is none, it was idle too long, or it is another credential's.
 */
export interface Sessions {
  /** Digest of the tools, resources and prompts of this process; a session outlives it. */
  readonly lists: string;
  open(caller: Caller, start: SessionStart): Promise<Session>;
  get(id: string, caller: Caller): Promise<Session>;
  /** Applies `amend` to the session, one change at a time. Resolves to the changed session. */
  change(id: string, caller: Caller, amend: (session: Session) => SessionChange): Promise<Session>;
  close(id: string, caller: Caller): Promise<void>;
  /** How many are open in all. */
  count(): Promise<number>;
}

export interface SessionLimits {
  /** Sessions of one credential at most; the one idle longest is dropped. */
  readonly perCaller: number;
  readonly idleMs: number;
}

/**
 * Whom a session belongs to: the person, and the credential. Of OAuth it is the application, whose grant changes
 * when its user allows it more, in the middle of a session.
 */
export function principalOf({ kind, userId, credentialId = '', clientId }: Caller): string {
  return `${kind} ${userId} ${clientId ?? credentialId}`;
}

/** Characters of capabilities as JSON; a client that sends more is treated as one without any. */
const MAX_CAPABILITIES = 4096;

/** A session that a client opens. */
export function newSession({ protocolVersion, capabilities }: SessionStart): Session {
  const kept = JSON.stringify(capabilities).length <= MAX_CAPABILITIES ? capabilities : {};
  return { id: crypto.randomUUID(), protocolVersion, capabilities: kept, subscriptions: [] };
}

export function unknownSession(): ServiceError {
  return new ServiceError(
    'UNKNOWN_SESSION',
    'This session is unknown or has ended: send initialize again for a new one.',
  );
}
