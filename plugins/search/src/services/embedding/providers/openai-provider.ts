import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { CircuitBreaker } from './circuit-breaker.js';
import { readEmbeddings, readLimited } from './embeddings-reply.js';
import { ProviderFailure, spaceIdOf, type Provider, type ProviderDescription } from './provider.js';

export interface OpenAiSettings {
  /** Up to `/v1`, as clients of that API write it, or the whole address of the endpoint. */
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
  /** Asked for with every request, where given. */
  readonly dimensions: number | undefined;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Texts in one request. */
  readonly batch: number;
  readonly timeoutMs: number;
  /** How long a provider that failed is left alone. */
  readonly retryMs: number;
}

const CONCURRENCY = 4;
/** How often a request is sent, and how long each may take at most: a person who waits for a query waits less. */
const ATTEMPTS = { passage: 4, query: 2 } as const;
const QUERY_TIMEOUT_MS = 5_000;
const BACK_OFF_MS = 250;
/** A provider that asks for a longer wait is left alone for that time. */
const MAX_WAIT_MS = 10_000;
/** Statuses that the same request may not get again. */
const isTransient = (status: number) => status === 408 || status === 429 || status >= 500;

/** Embeds by an OpenAI-compatible `/v1/embeddings`. */
export function openAiProvider(settings: OpenAiSettings): Provider {
  const address = /\/embeddings\/?$/u.test(settings.url)
    ? settings.url
    : `${settings.url.replace(/\/+$/u, '')}/embeddings`;
  const breaker = new CircuitBreaker(settings.retryMs);
  const queue = new PQueue({ concurrency: CONCURRENCY });
  let batchSize = settings.batch;
  let dimensions = settings.dimensions;

  /** One request. Throws Transient where another may succeed. */
  async function ask(texts: readonly string[], timeoutMs: number, signal: AbortSignal | undefined) {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(address, {
        method: 'POST',
        // A redirect would carry the texts and the key to an address that nobody named.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(settings.key !== undefined && { authorization: `Bearer ${settings.key}` }),
        },
        body: JSON.stringify({
          model: settings.model,
          input: texts,
          encoding_format: 'float',
          ...(settings.dimensions !== undefined && { dimensions: settings.dimensions }),
        }),
      });
      if (response.ok) return readEmbeddings(await readLimited(response), texts.length, dimensions);
      await response.body?.cancel();
      throw new StatusError(response.status, retryAfterMs(response.headers.get('retry-after')));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProviderFailure || error instanceof StatusError) throw error;
      const reason = limit.aborted ? `no answer within ${String(timeoutMs)} ms` : 'it cannot be reached';
      throw new StatusError(0, 0, reason, error);
    }
  }

  async function askAgain(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<(Float32Array | null)[]> {
    const timeoutMs =
      purpose === 'query' ? Math.min(settings.timeoutMs, QUERY_TIMEOUT_MS) : settings.timeoutMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(texts, timeoutMs, signal);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        const wait = Math.max(
          error.retryAfterMs,
          BACK_OFF_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2),
        );
        if (!error.isTransient || attempt >= ATTEMPTS[purpose] || wait > MAX_WAIT_MS) throw error.asFailure();
        await sleep(wait, undefined, { signal });
      }
    }
  }

  /** A batch that is too large is sent in halves, and so are those after it. */
  async function embedBatch(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<(Float32Array | null)[]> {
    try {
      return await breaker.run(() => askAgain(texts, purpose, signal));
    } catch (error) {
      const isTooLarge =
        error instanceof ProviderFailure && (error.cause as StatusError | undefined)?.status === 413;
      if (!isTooLarge || texts.length === 1) throw error;
      const half = Math.ceil(texts.length / 2);
      batchSize = Math.min(batchSize, half);
      const first = await embedBatch(texts.slice(0, half), purpose, signal);
      return [...first, ...(await embedBatch(texts.slice(half), purpose, signal))];
    }
  }

  async function embed(
    texts: readonly string[],
    { purpose, signal }: { readonly purpose: 'query' | 'passage'; readonly signal?: AbortSignal | undefined },
  ): Promise<(Float32Array | null)[]> {
    if (purpose === 'query') return embedBatch(texts, purpose, signal);
    const stop = new AbortController(); // the other batches of a call that fails
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const batches: (readonly string[])[] = [];
    for (let at = 0; at < texts.length; at += batchSize) batches.push(texts.slice(at, at + batchSize));
    try {
      const vectors = await Promise.all(
        batches.map((batch) => queue.add(() => embedBatch(batch, purpose, either), { signal: either })),
      );
      return vectors.flat();
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  const describe = (known: number): ProviderDescription => ({
    provider: 'openai',
    model: settings.model,
    place: settings.url,
    digest: '',
    dimensions: known,
    asksDimensions: settings.dimensions !== undefined,
    queryPrefix: settings.queryPrefix,
    passagePrefix: settings.passagePrefix,
    pooling: '',
  });

  return {
    embed,
    makes(description) {
      const same = spaceIdOf(describe(dimensions ?? description.dimensions)) === spaceIdOf(description);
      if (same) ({ dimensions } = description);
      return same;
    },
    async describe(signal) {
      if (dimensions === undefined) {
        const [vector] = await embed(['dimensions'], { purpose: 'query', signal });
        if (!vector) throw new ProviderFailure('the provider gave a vector of length zero');
        dimensions ??= vector.length;
      }
      return describe(dimensions);
    },
  };
}

/** A status that is not 2xx; 0 for a request without an answer. */
class StatusError extends Error {
  readonly status: number;
  readonly retryAfterMs: number;

  constructor(
    status: number,
    retryAfter: number,
    reason = `it answers with HTTP ${String(status)}`,
    cause?: unknown,
  ) {
    super(reason, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterMs = retryAfter;
  }

  get isTransient(): boolean {
    return this.status === 0 || isTransient(this.status);
  }

  asFailure(): ProviderFailure {
    const refused = [400, 413, 422].includes(this.status);
    return new ProviderFailure(this.message, { refused, retryAfterMs: this.retryAfterMs, cause: this });
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), in milliseconds from now; 0 where it is neither. */
function retryAfterMs(header: string | null): number {
  if (header === null || header.trim() === '') return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 3_600_000) : 0;
}
