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
import { canReceive, type ClientSession } from './client-session.js';
import { inEnvelope } from './with-notices.js';

/** Work that needs answers of the client before it can finish. */
export interface InputNeeded {
  readonly kind: 'input_required';
  readonly requests: readonly InputRequest[];
  readonly state: string;
  readonly instead?: string;
}

export interface Finished<R> {
  readonly kind: 'finished';
  readonly result: R;
}

/** The way in which requests reach the client. */
export type ClientRequester =
  /** In the result: the client calls again with the answers and the sealed state. */
  | { readonly era: 'modern'; readonly seal: Seal }
  /** As requests of the server during the call, when `canSend`. Without a session the client's capabilities are unknown. */
  | { readonly era: 'legacy'; readonly session?: ClientSession | undefined; readonly canSend: boolean };

/** Rounds of questions in one call of a handshake client; modern clients call again for each round. */
const MAX_ROUNDS = 8;
/** Lifetime of a sealed state. */
const STATE_TTL_MS = 60 * 60 * 1000;
/** Time for an answer, which may come from a person. The deadline of the call pauses meanwhile. */
const ANSWER_TIMEOUT_MS = 10 * 60 * 1000;

/**
 * Runs the work and asks the client for the input that it needs. The work gets the answers in `answers`, as the client sent
 * them (results of MCP requests, with unchecked `content`), and its own state in `answersTo`. Requests that the client does
 * not support are skipped. `about` names the work: a state is valid for that work only.
 */
export function withElicitation<R>(
  requester: ClientRequester,
  ctx: ServerContext,
  about: string,
  call: CallContext,
  work: (call: CallContext) => Promise<Finished<R> | InputNeeded>,
): Promise<R | InputRequiredResult> {
  if (requester.era === 'modern') return elicitByResult(requester.seal, ctx, about, call, work);
  return elicitByRequest(requester.canSend ? requester.session : undefined, ctx, call, work);
}

async function elicitByResult<R>(
  seal: Seal,
  { mcpReq }: ServerContext,
  about: string,
  call: CallContext,
  work: (call: CallContext) => Promise<Finished<R> | InputNeeded>,
): Promise<R | InputRequiredResult> {
  const bound = `${principalOf(call.caller)} ${about}`;
  const state = mcpReq.requestState<string>(); // the SDK refuses other types
  const answers = mcpReq.inputResponses;
  const changes = {
    ...(answers && { answers }),
    ...(state !== undefined && { answersTo: openState(seal, state, bound) }),
  };
  const outcome = await work(answers || state !== undefined ? amendCall(call, changes) : call);
  if (outcome.kind === 'finished') return outcome.result;
  const capabilities = inEnvelope(mcpReq, CLIENT_CAPABILITIES_META_KEY);
  const supported = outcome.requests.filter((request) => canReceive(capabilities, methodOf(request)));
  if (supported.length === 0 && outcome.instead !== undefined) throw unanswerable(outcome);
  // With none supported and no argument for them, the SDK answers which capability is missing.
  const requests = supported.length > 0 ? supported : outcome.requests;
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      requests.map((request) => [request.name, toMcp(request)]),
    ) as InputRequests, // tools make them
    ...(outcome.state !== '' && {
      requestState: seal.seal(`${Date.now() + STATE_TTL_MS} ${outcome.state}`, bound),
    }),
  };
}

function openState(seal: Seal, sealed: string, bound: string): string {
  const text = seal.open(sealed, bound) ?? '';
  const space = text.indexOf(' ');
  if (space !== -1 && Number(text.slice(0, space)) >= Date.now()) return text.slice(space + 1);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'requestState is not what this call was given, or is over an hour old. Call again without inputResponses and requestState.',
    { reason: 'invalid_request_state' },
  );
}

async function elicitByRequest<R>(
  session: ClientSession | undefined,
  ctx: ServerContext,
  call: CallContext,
  work: (call: CallContext) => Promise<Finished<R> | InputNeeded>,
): Promise<R> {
  let own = call;
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const outcome = await work(own);
    if (outcome.kind === 'finished') return outcome.result;
    const asked = outcome.requests.filter((request) => canReceive(session?.capabilities, methodOf(request)));
    if (asked.length === 0) throw unanswerable(outcome);
    own = amendCall(own, { answers: await sendRequests(asked, ctx, call), answersTo: outcome.state });
  }
  throw new ServiceError(
    'UNAVAILABLE',
    `This call asked ${MAX_ROUNDS} times and needs more answers. Pass them as arguments if the tool has such.`,
  );
}

/** Sends all requests at once; when one fails, the others are cancelled. The deadline of the call pauses meanwhile. */
async function sendRequests(
  requests: readonly InputRequest[],
  { mcpReq }: ServerContext,
  call: CallContext,
): Promise<Readonly<Record<string, unknown>>> {
  const others = new AbortController();
  const left = call.deadline - Date.now();
  call.prolong?.(ANSWER_TIMEOUT_MS);
  const options = {
    timeout: call.prolong ? ANSWER_TIMEOUT_MS : Math.max(1, Math.min(left, ANSWER_TIMEOUT_MS)),
    signal: AbortSignal.any([call.signal, others.signal]),
  };
  try {
    const answers = requests.map(async (request) => [
      request.name,
      await mcpReq.send(toMcp(request), options),
    ]);
    return Object.fromEntries(await Promise.all(answers)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    others.abort('The call waits no longer.'); // sent to the client
    const reason: unknown = call.signal.reason;
    throw reason instanceof ServiceError ? reason : toAnswerError(thrown);
  } finally {
    call.prolong?.(left);
  }
}

function toAnswerError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    const message =
      'The client did not answer the questions of this call in time. Call again, and answer sooner.';
    return new ServiceError('DEADLINE_EXCEEDED', message, { cause: thrown });
  }
  const message =
    'The client gave no valid answer to the questions of this call. Call again, or pass the answer as an argument if there is one for it.';
  return new ServiceError('UNAVAILABLE', message, { cause: thrown });
}

type Method = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

function methodOf(request: InputRequest): Method {
  return 'method' in request ? request.method : 'elicitation/create';
}

function toMcp(request: InputRequest): { method: Method; params: Record<string, unknown> } {
  if ('method' in request) return { method: request.method, params: { ...request.params } };
  const { message, schema } = request;
  return { method: 'elicitation/create', params: { message, requestedSchema: schema } };
}
