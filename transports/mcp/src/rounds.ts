import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { amendCall, ServiceError, type CallContext, type InputRequest } from '@service-mcp/core';
import { principalOf, unanswerable, type Seal } from '@service-mcp/core/wire';
import { canBeAsked, type ClientSession } from './client-session.js';
import { inEnvelope } from './notices.js';

/** A request that needs answers of the client first. */
export interface Asking {
  readonly kind: 'input_required';
  readonly requests: readonly InputRequest[];
  readonly state: string;
}

export interface Finished<R> {
  readonly kind: 'finished';
  readonly result: R;
}

/** How the client at the other end is asked. */
export type Asker =
  /** With the result: it calls again with the answers, and the state that it was given sealed. */
  | { readonly era: 'modern'; readonly seal: Seal }
  /** By requests of ours, while its own waits, where `asks`. Without a session it is unknown what it can be asked. */
  | { readonly era: 'legacy'; readonly session?: ClientSession | undefined; readonly asks: boolean };

/** Times that one request of a client of the handshake may ask it; the others count their own. */
const MOST_ROUNDS = 8;
/** How long a state that a client keeps is good. */
const STATE_MS = 60 * 60 * 1000;
/** How long an answer is waited for: a person may be asked. The call's own time stands still meanwhile. */
const WAIT_MS = 10 * 60 * 1000;

/**
 * Does the work, and asks the client for what it needs. The work gets the answers in `answers`, each as the client gave it (the
 * result of the request in MCP, whose `content` nobody has checked), and its own state in `answersTo`. Questions that the
 * client cannot be asked are left out. `about` names the work: a state is good for no other.
 */
export function inRounds<R>(
  asker: Asker,
  ctx: ServerContext,
  about: string,
  call: CallContext,
  work: (call: CallContext) => Promise<Finished<R> | Asking>,
): Promise<R | InputRequiredResult> {
  if (asker.era === 'modern') return oneRound(asker.seal, ctx, about, call, work);
  return rounds(asker.asks ? asker.session : undefined, ctx, call, work);
}

async function oneRound<R>(
  seal: Seal,
  { mcpReq }: ServerContext,
  about: string,
  call: CallContext,
  work: (call: CallContext) => Promise<Finished<R> | Asking>,
): Promise<R | InputRequiredResult> {
  const bound = `${principalOf(call.caller)} ${about}`;
  const kept = mcpReq.requestState<string>(); // the SDK refuses others
  const answers = mcpReq.inputResponses;
  const changes = {
    ...(answers && { answers }),
    ...(kept !== undefined && { answersTo: opened(seal, kept, bound) }),
  };
  const outcome = await work(answers || kept !== undefined ? amendCall(call, changes) : call);
  if (outcome.kind === 'finished') return outcome.result;
  const capabilities = inEnvelope(mcpReq, CLIENT_CAPABILITIES_META_KEY);
  const askable = outcome.requests.filter((request) => canBeAsked(capabilities, methodOf(request)));
  // None: the SDK answers which capability is missing.
  const asked = askable.length > 0 ? askable : outcome.requests;
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      asked.map((request) => [request.name, onWire(request)]),
    ) as InputRequests, // of a tool's making
    ...(outcome.state !== '' && {
      requestState: seal.seal(`${Date.now() + STATE_MS} ${outcome.state}`, bound),
    }),
  };
}

function opened(seal: Seal, kept: string, bound: string): string {
  const text = seal.open(kept, bound) ?? '';
  const space = text.indexOf(' ');
  if (space !== -1 && Number(text.slice(0, space)) >= Date.now()) return text.slice(space + 1);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'requestState is not what this call was given, or is over an hour old. Call again without inputResponses and requestState.',
    { reason: 'invalid_request_state' },
  );
}

async function rounds<R>(
  session: ClientSession | undefined,
  ctx: ServerContext,
  call: CallContext,
  work: (call: CallContext) => Promise<Finished<R> | Asking>,
): Promise<R> {
  let own = call;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const outcome = await work(own);
    if (outcome.kind === 'finished') return outcome.result;
    const asked = outcome.requests.filter((request) => canBeAsked(session?.capabilities, methodOf(request)));
    if (asked.length === 0) throw unanswerable(outcome.requests);
    own = amendCall(own, { answers: await answersTo(asked, ctx, call), answersTo: outcome.state });
  }
  throw new ServiceError(
    'UNAVAILABLE',
    `This asked ${MOST_ROUNDS} times and needs still more. Pass what it asks for as arguments, where it has such.`,
  );
}

/** All at once; where one fails, the others are taken back. The time of the call stands still meanwhile. */
async function answersTo(
  requests: readonly InputRequest[],
  { mcpReq }: ServerContext,
  call: CallContext,
): Promise<Readonly<Record<string, unknown>>> {
  const others = new AbortController();
  const left = call.deadline - Date.now();
  call.prolong?.(WAIT_MS);
  const options = {
    timeout: call.prolong ? WAIT_MS : Math.max(1, Math.min(left, WAIT_MS)),
    signal: AbortSignal.any([call.signal, others.signal]),
  };
  try {
    const answers = requests.map(async (request) => [
      request.name,
      await mcpReq.send(onWire(request), options),
    ]);
    return Object.fromEntries(await Promise.all(answers)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    others.abort('The call waits no longer.'); // the client is told
    throw call.signal.aborted ? call.signal.reason : unanswered(thrown);
  } finally {
    call.prolong?.(left);
  }
}

function unanswered(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    const message =
      'The client did not answer in time what this call asked it. Call again, and answer sooner.';
    return new ServiceError('DEADLINE_EXCEEDED', message, { cause: thrown });
  }
  const message =
    'The client would not answer what this call asked it. Call again, or pass the answer as an argument, where there is one for it.';
  return new ServiceError('UNAVAILABLE', message, { cause: thrown });
}

type Method = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

function methodOf(request: InputRequest): Method {
  return 'method' in request ? request.method : 'elicitation/create';
}

function onWire(request: InputRequest): { method: Method; params: Record<string, unknown> } {
  if ('method' in request) return { method: request.method, params: { ...request.params } };
  const { message, schema } = request;
  return { method: 'elicitation/create', params: { message, requestedSchema: schema } };
}
