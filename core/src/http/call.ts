import type { ServerResponse } from 'node:http';
import type { RateState, Remark } from '../caller.js';
import type { LimitRequest } from '../call/call-limits.js';
import type { Accept } from '../call/accept.js';
import type { CallDeadlines, Deadline, WatchClient } from '../call/call-deadlines.js';
import type { HttpMount } from './index.js';

/** Facts of a request that the first middleware notes for the others. */
export interface RequestState {
  requestId: string;
  /** `performance.now()` when the request came in. */
  startedAt: number;
  peer: string;
  forwarded: boolean;
  deadline?: Deadline;
  /** Whose request it is, once it is authenticated. */
  principal?: string;
  /** The size of the body, once it is read. */
  bodyBytes?: number;
}

/** Makes `HttpMount.call`. A request has one deadline, however often its call is made. */
export function createCall(accept: Accept, deadlines: CallDeadlines, limit: LimitRequest): HttpMount['call'] {
  return async (ctx, surface, { ceiling = false, anonymous = false, endless = false, rate } = {}) => {
    const { req, res } = ctx;
    const state = ctx.state as RequestState;
    const { requestId, peer, forwarded } = state;
    const arrival = {
      headers: req.headers,
      method: ctx.method,
      query: ctx.querystring,
      surface,
      requestId,
      peer,
      forwarded,
      anonymous,
      ceiling,
      bodyBytes: () => state.bodyBytes ?? 0,
      remark: (remark: Remark) => write(res, remark),
    };
    const begin = () => (state.deadline ??= deadlines.begin(watching(res), endless));
    const call = await accept(arrival, begin);
    if (call.caller.userId !== '') state.principal = call.caller.userId;
    return rate === undefined ? call : limit(call, rate);
  };
}

/** A call that something waits for lasts until its response is closed. */
function watching(res: ServerResponse): WatchClient {
  return (deadline) => {
    const closed = () => {
      deadline.finish();
      // A stream may be ended while its source still waits for more, which then has no reader.
      if (deadline.endless || !res.writableFinished) deadline.clientGone();
    };
    if (res.closed) closed();
    else res.once('close', closed);
  };
}

/** Remarks as headers; an answer whose head is already sent (a stream) goes without. */
function write(res: ServerResponse, { rate, replayed, retryAfter }: Remark): void {
  if (res.headersSent) return;
  if (rate) writeRate(res, rate);
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  if (replayed) res.setHeader('Idempotency-Replayed', 'true');
}

function writeRate(res: ServerResponse, { allowed, limit, remaining, resetSeconds }: RateState): void {
  res.setHeader('RateLimit-Limit', limit);
  res.setHeader('RateLimit-Remaining', remaining);
  res.setHeader('RateLimit-Reset', resetSeconds);
  if (!allowed) res.setHeader('Retry-After', resetSeconds);
}
