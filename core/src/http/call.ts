import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { lazyCall } from '../call.js';
import { ANONYMOUS, LOCAL_OWNER, type Caller, type RateState, type Remark, type Surface } from '../caller.js';
import { ServiceError, invalidArgument } from '../errors.js';
import type { Authenticator, Log } from '../services.js';
import type { Flight, InFlight } from './in-flight.js';
import type { HttpMount } from './index.js';

interface CallerSettings {
  readonly authenticator: Authenticator | undefined;
  readonly flights: InFlight;
  readonly select: HttpMount['selection'];
  readonly log: Log;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Makes `HttpMount.call`: who calls, and what the call is told by its request. */
export function createCaller({ authenticator, flights, select, log }: CallerSettings): HttpMount['call'] {
  async function callerOf(ctx: Context, surface: Surface, anonymous: boolean): Promise<Caller> {
    if (!authenticator) return LOCAL_OWNER;
    const { headers, method } = ctx;
    const { peer, forwarded } = ctx.state as { peer: string; forwarded: boolean };
    const found = authenticator.authenticate({ headers, method, surface, peer, forwarded });
    const caller = await (anonymous ? found.catch(noneOf) : found);
    if (caller) return caller;
    if (anonymous) return ANONYMOUS;
    throw new ServiceError(
      'UNAUTHENTICATED',
      'This needs a credential: an API key in X-Service-API-Key or Authorization: Bearer, or a login.',
    );
  }

  return async (ctx, surface, options = {}) => {
    const caller = await callerOf(ctx, surface, options.anonymous ?? false);
    const selection = select(ctx, options);
    const flight = ((ctx.state as { flight?: Flight }).flight ??= flights.begin(ctx.res, options.endless));
    const { requestId, peer } = ctx.state as { requestId: string; peer: string };
    const idempotencyKey = readIdempotencyKey(ctx);
    const facts = {
      caller,
      surface,
      requestId,
      deadline: flight.deadline,
      selection,
      log,
      peer,
      remark: (remark: Remark) => write(ctx.res, remark),
      prolong: (ms: number) => flight.prolong(ms),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    return lazyCall(facts, () => flight.signal);
  };
}

/** Where no credential is needed, one that is out of date does no harm: clients send it along to renew it. */
function noneOf(refusal: unknown): undefined {
  if (refusal instanceof ServiceError && refusal.code === 'UNAUTHENTICATED') return undefined;
  throw refusal;
}

function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidArgument(
    '/Idempotency-Key',
    'must be 1 to 255 printable characters without spaces, a UUID say',
  );
}

/** Remarks as headers; an answer whose head is sent already (a stream) goes without. */
function write(res: ServerResponse, { rate, replayed }: Remark): void {
  if (res.headersSent) return;
  if (rate) writeRate(res, rate);
  if (replayed) res.setHeader('Idempotency-Replayed', 'true');
}

function writeRate(res: ServerResponse, { allowed, limit, remaining, resetSeconds }: RateState): void {
  res.setHeader('RateLimit-Limit', limit);
  res.setHeader('RateLimit-Remaining', remaining);
  res.setHeader('RateLimit-Reset', resetSeconds);
  if (!allowed) res.setHeader('Retry-After', resetSeconds);
}
