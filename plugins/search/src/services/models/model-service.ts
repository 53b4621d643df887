import { timeLimit } from '@service-mcp/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitBreaker } from './circuit-breaker.js';
import { describeStatus, ProviderFailure } from './provider-failure.js';

export interface ModelServiceSettings {
  /** Up to `/v1`, as clients of such services write it, or the whole address of the endpoint. */
  readonly url: string;
  /** The endpoint below `/v1`: `embeddings`, `chat/completions`. */
  readonly endpoint: string;
  /** Sent to this address alone, as a bearer token. */
  readonly key: string | undefined;
  /** How long a service that failed is left alone, in milliseconds. */
  readonly retryMs: number;
}

export interface RequestLimits {
  /** Requests in all: the first one, and those after failures that may pass. */
  readonly attempts: number;
  /** Time of each request, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends all of it: the caller went away, or the time of all attempts is over. Its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each request that failed and is sent again. */
  readonly onRetry?: (failure: ProviderFailure) => void;
}

/** An endpoint of a service that speaks the OpenAI API. */
export interface ModelService {
  /**
   * Posts a body as JSON, and returns what `read` makes of the parsed reply. Waits and asks again after 408, 429, 5xx
   * and requests without an answer, at least as long as `Retry-After` says. Throws ProviderFailure, as `read` does for
   * a reply that it cannot use; such a reply is not asked for again.
   */
  post<T>(body: object, read: (reply: unknown) => T, limits: RequestLimits): Promise<T>;
  /** True while it is left alone, and takes one request at a time after that until it answers one. */
  readonly isFailing: boolean;
}

const BACK_OFF_MS = 250;
/** A service that asks for a longer wait is left alone for that time. */
const MAX_WAIT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Bytes of a reply: 256 vectors of 4096 dimensions, written with all their digits, have 25 MB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export function openModelService({ url, endpoint, key, retryMs }: ModelServiceSettings): ModelService {
  const base = url.replace(/(?<!\/)\/+$/u, '');
  const address = base.endsWith(`/${endpoint}`) ? base : `${base}/${endpoint}`;
  const breaker = new CircuitBreaker(retryMs);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };

  async function postOnce(body: string, { timeoutMs, signal }: RequestLimits): Promise<unknown> {
    const limit = timeLimit(timeoutMs);
    let isAnswered = false;
    try {
      const response = await fetch(address, {
        method: 'POST',
        // A redirect would carry the texts and the key to an address that nobody configured.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headers,
        body,
      });
      isAnswered = true;
      if (response.ok) return parse(await readLimited(response));
      await response.body?.cancel();
      const { status } = response;
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
      throw new ProviderFailure(describeStatus(status), { status, retryAfterMs });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProviderFailure) throw error;
      const reason = limit.aborted
        ? `no answer within ${String(timeoutMs)} ms: check that it runs, or allow it more time`
        : isAnswered
          ? 'its reply broke off'
          : 'it cannot be reached: check that it runs, and its address';
      const mayHaveReplied = limit.aborted || isAnswered;
      throw new ProviderFailure(reason, { status: 0, mayHaveReplied, cause: error });
    }
  }

  async function postAgain(body: string, limits: RequestLimits): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await postOnce(body, limits);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || !error.isTransient) throw error;
        const backOff = BACK_OFF_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
        const wait = Math.max(error.retryAfterMs, backOff);
        if (attempt >= limits.attempts || wait > MAX_WAIT_MS) throw error;
        limits.onRetry?.(error);
        await sleep(wait, undefined, { signal: limits.signal }).catch(() => limits.signal?.throwIfAborted());
      }
    }
  }

  return {
    post: (body, read, limits) =>
      breaker.run(async () => read(await postAgain(JSON.stringify(body), limits))),
    get isFailing() {
      return breaker.isOpen;
    },
  };
}

/** The body of a reply as text. Throws ProviderFailure for one that is too long. */
async function readLimited(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    const chunk = part as Uint8Array; // a body is made of bytes
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_REPLY_BYTES)
      throw new ProviderFailure(`its reply has more than ${String(MAX_REPLY_BYTES)} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProviderFailure(
      'its reply is not JSON: it is cut off, holds NaN, or the address is not that of an API',
    );
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), in milliseconds from now; 0 where it is neither. */
function parseRetryAfter(header: string | null): number {
  if (header === null || header.trim() === '') return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}
