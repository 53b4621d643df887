import { randomUUID } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { untilAborted } from '../abort.js';
import { lazyCall } from '../call.js';
import {
  ANONYMOUS,
  LOCAL_OWNER,
  SURFACES,
  type CallContext,
  type Caller,
  type Remark,
  type Surface,
} from '../caller.js';
import { ServiceError, invalidArgument, remarkRetry } from '../errors.js';
import type { Log } from '../log.js';
import type { Authenticator, Headers } from '../services.js';
import type { Selection } from '../toolset.js';
import type { AcceptRequest, TransportContext } from '../transport.js';
import type { CallDeadlines, Deadline } from './call-deadlines.js';
import { requestSelection } from './request-selection.js';

export interface AcceptSettings {
  /** Absent in a single-owner deployment: every request is the local owner's. */
  readonly authenticator: Authenticator | undefined;
  readonly defaultSelection: Selection;
  readonly ceiling: Selection;
  /** The words that a request may select by. */
  readonly selectionWords: readonly string[];
  readonly log: Log;
}

/** A request of any transport, ours over HTTP included. */
export interface Arrival {
  readonly headers: Headers;
  readonly method: string;
  /** The query string, without its question mark. */
  readonly query?: string;
  readonly surface: Surface;
  readonly requestId: string;
  readonly peer?: string;
  readonly forwarded?: boolean;
  readonly anonymous?: boolean;
  readonly ceiling?: boolean;
  readonly bodyBytes?: () => number;
  readonly remark?: (remark: Remark) => void;
}

/** Authenticates a request and makes its call, within the deadline that `begin` starts before. */
export type Accept = (arrival: Arrival, begin: () => Deadline) => Promise<CallContext>;

const REQUEST_ID = /^[\w.-]{1,128}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The only place that makes the context of a call from outside: see HttpMount.call and TransportContext.accept. */
export function createAccept(settings: AcceptSettings): Accept {
  const { authenticator, log } = settings;
  return async (arrival, begin) => {
    const { headers, surface, requestId, peer, bodyBytes, remark } = arrival;
    const deadline = begin();
    const caller = authenticator
      ? await untilAborted(authenticate(authenticator, arrival), deadline)
      : LOCAL_OWNER;
    const selection = selectionOf(settings, arrival);
    const idempotencyKey = idempotencyKeyOf(headers);
    const facts = {
      caller,
      surface,
      requestId,
      get deadline() {
        return deadline.at;
      },
      selection,
      log,
      prolong: (ms: number) => deadline.extend(ms),
      ...(peer !== undefined && { peer }),
      ...(bodyBytes && { bodyBytes }),
      ...(remark && { remark }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    return lazyCall(facts, () => deadline.signal);
  };
}

/** The tools that this request selects. */
export function selectionOf(
  { ceiling, defaultSelection, selectionWords }: AcceptSettings,
  arrival: Pick<Arrival, 'headers' | 'query' | 'ceiling'>,
): Selection {
  return requestSelection(arrival, arrival.ceiling ? ceiling : defaultSelection, selectionWords);
}

/** The id that the client gave its request, else a new one. */
export function requestIdOf({ 'x-request-id': id }: Headers): string {
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
}

/** `TransportContext.accept` of one transport. */
export function acceptFor(
  transport: string,
  { authenticator }: AcceptSettings,
  accept: Accept,
  deadlines: CallDeadlines,
): TransportContext<unknown>['accept'] {
  return async ({ signal, surface = transport, endless, ...request }: AcceptRequest) => {
    if (surface !== transport && !SURFACES.some((own) => own === surface))
      throw new TypeError(
        `transport ${transport}: its surface is ${transport} or one of ${SURFACES.join(', ')}`,
      );
    if (!authenticator && request.peer !== undefined && !isThisMachine(request.peer)) {
      throw new ServiceError(
        'PERMISSION_DENIED',
        'This deployment has no auth plugin, so it serves its own machine alone. Enable one, and send a credential.',
      );
    }
    // POST: the method that the rules for cookies are strictest about.
    const arrival = { ...request, surface, method: 'POST', requestId: requestIdOf(request.headers) };
    const deadline = deadlines.begin(watching(signal), endless);
    const finish = () => deadline.finish();
    try {
      return Object.assign(await accept(arrival, () => deadline), { finish });
    } catch (error) {
      finish();
      throw error;
    }
  };
}

const watching = (signal: AbortSignal | undefined) => (deadline: Deadline) => {
  if (!signal) return;
  const gone = () => deadline.clientGone();
  if (signal.aborted) gone();
  signal.addEventListener('abort', gone, { once: true });
  return () => signal.removeEventListener('abort', gone);
};

function isThisMachine(peer: string): boolean {
  return ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback';
}

async function authenticate(authenticator: Authenticator, arrival: Arrival): Promise<Caller> {
  const { headers, method, surface, peer = '', forwarded = false, anonymous = false } = arrival;
  const found = authenticator.authenticate({ headers, method, surface, peer, forwarded });
  const caller = await (anonymous ? found.catch(ignoreExpired) : found).catch((thrown: unknown) => {
    if (thrown instanceof ServiceError) remarkRetry(arrival, thrown);
    throw thrown;
  });
  if (caller) return caller;
  if (anonymous) return ANONYMOUS;
  throw new ServiceError(
    'UNAUTHENTICATED',
    'This needs a credential: an API key in X-Service-API-Key or Authorization: Bearer, or a login.',
  );
}

/** An expired credential does no harm where none is needed: clients send it along to renew it. */
function ignoreExpired(refusal: unknown): undefined {
  if (refusal instanceof ServiceError && refusal.code === 'UNAUTHENTICATED') return undefined;
  throw refusal;
}

function idempotencyKeyOf({ 'idempotency-key': key }: Headers): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidArgument(
    '/Idempotency-Key',
    'must be 1 to 255 printable characters without spaces, a UUID say',
  );
}
