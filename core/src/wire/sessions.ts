import type { Caller } from '../caller.js';
import { ServiceError } from '../errors.js';

/** The revisions of MCP that open with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The version that answers `initialize`: the one asked for where it is known, else the newest. */
export function negotiateVersion(requested: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === requested) ?? HANDSHAKE_VERSIONS[0];
}

/** What is kept of an MCP session: no server, no stream, so that thousands cost little. */
export interface Session {
  readonly id: string;
  readonly protocolVersion: string;
  /** Of the client, as `initialize` told them. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The least level of log messages that the client asked for. */
  readonly logLevel?: string;
  /** Addresses of the resources whose changes the client wants to hear of. */
  readonly subscriptions: readonly string[];
}

/** What a client says of itself when it opens a session. */
export type SessionStart = Pick<Session, 'protocolVersion' | 'capabilities'>;
/** What a client may change of its session. */
export type SessionChange = Partial<Pick<Session, 'logLevel' | 'subscriptions'>>;

/**
 * The sessions that `initialize` opens. One belongs to the credential that opened it: with another it does not exist.
 * All but `open` throw UNKNOWN_SESSION where there is none, it was idle too long, or it is another credential's.
 */
export interface Sessions {
  open(caller: Caller, start: SessionStart): Promise<Session>;
  get(id: string, caller: Caller): Promise<Session>;
  /** Changes it as `amend` says from what it is, alone. Resolves to what it has become. */
  change(id: string, caller: Caller, amend: (session: Session) => SessionChange): Promise<Session>;
  close(id: string, caller: Caller): Promise<void>;
  /** How many are open in all. */
  count(): Promise<number>;
}

export interface SessionLimits {
  /** How many one credential has at most; the one that was idle longest gives way. */
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

/** The longest text, in JSON, of capabilities that is kept; a client that tells more is taken to have none. */
const MOST_CAPABILITIES = 4096;

/** A session that a client opens. */
export function newSession({ protocolVersion, capabilities }: SessionStart): Session {
  const kept = JSON.stringify(capabilities).length <= MOST_CAPABILITIES ? capabilities : {};
  return { id: crypto.randomUUID(), protocolVersion, capabilities: kept, subscriptions: [] };
}

export function unknownSession(): ServiceError {
  return new ServiceError(
    'UNKNOWN_SESSION',
    'This session is unknown or has ended: send initialize again for a new one.',
  );
}
