import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type { Embeddings } from '../../../contract.js';
import { openModelService, type ModelServiceSettings } from '../../models/model-service.js';
import { ProviderFailure } from '../../models/provider-failure.js';
import { readEmbeddings } from './embeddings-reply.js';
import { spaceIdOf, type Provider, type ProviderDescription, type Purpose } from './provider.js';

export interface OpenAiSettings extends Omit<ModelServiceSettings, 'endpoint'> {
  readonly model: string;
  /** Asked for with every request, where given. */
  readonly dimensions: number | undefined;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Texts in one request. */
  readonly batch: number;
  readonly timeoutMs: number;
}

/** Requests at a time, for callers and for passages apart: nobody waits for the background. */
const CONCURRENCY = 4;
/** How often a request is sent, and how long each may take at most. */
const LIMITS = {
  query: { attempts: 2, timeoutMs: 5_000 },
  call: { attempts: 2, timeoutMs: 12_000 },
  passage: { attempts: 4, timeoutMs: Infinity },
} as const satisfies Record<Purpose, unknown>;

/** Embeds by an OpenAI-compatible `/v1/embeddings`. */
export function openAiProvider(settings: OpenAiSettings): Provider {
  const service = openModelService({ ...settings, endpoint: 'embeddings' });
  const queues = {
    call: new PQueue({ concurrency: CONCURRENCY }),
    passage: new PQueue({ concurrency: CONCURRENCY }),
  };
  let batchSize = settings.batch;
  let dimensions = settings.dimensions;

  function ask(texts: readonly string[], purpose: Purpose, signal: AbortSignal | undefined) {
    const body = {
      model: settings.model,
      input: texts,
      encoding_format: 'float',
      ...(settings.dimensions !== undefined && { dimensions: settings.dimensions }),
    };
    const { attempts, timeoutMs } = LIMITS[purpose];
    const limits = { attempts, timeoutMs: Math.min(settings.timeoutMs, timeoutMs), signal };
    return service.post(body, (reply) => readEmbeddings(reply, texts.length, dimensions), limits);
  }

  /** A batch that is too large is sent in halves, and so are those after it. */
  async function embedBatch(
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal | undefined,
  ): Promise<Embeddings> {
    try {
      return await ask(texts, purpose, signal);
    } catch (error) {
      const isTooLarge = error instanceof ProviderFailure && error.status === 413;
      if (!isTooLarge || texts.length === 1) throw error;
      const half = Math.ceil(texts.length / 2);
      batchSize = Math.min(batchSize, half);
      const first = await embedBatch(texts.slice(0, half), purpose, signal);
      return join([first, await embedBatch(texts.slice(half), purpose, signal)]);
    }
  }

  const embed: Provider['embed'] = async (texts, { purpose, signal, made }) => {
    if (purpose === 'query') return embedBatch(texts, purpose, signal);
    const stop = new AbortController(); // the other batches of a call that fails
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    // Nobody waits for passages: what was sent is paid for, and is awaited.
    const sent = purpose === 'passage' ? signal : either;
    if (sent) setMaxListeners(0, sent); // each batch that waits for its turn listens; Node would warn of a leak
    const work: (() => Promise<Embeddings>)[] = [];
    for (let at = 0; at < texts.length; at += batchSize) {
      const batch = texts.slice(at, at + batchSize);
      work.push(async () => {
        either.throwIfAborted();
        const embeddings = await embedBatch(batch, purpose, sent);
        made?.(at, embeddings.vectors);
        return embeddings;
      });
    }
    const parts: Promise<Embeddings>[] = [];
    const send = (some: typeof work) => {
      parts.push(...some.map((one) => queues[purpose].add(one, { signal: sent })));
      return Promise.all(parts);
    };
    try {
      if (service.isFailing) await send(work.splice(0, 1));
      return join(await send(work));
    } catch (error) {
      stop.abort(); // without its error, which would count as one of the service for each batch
      await Promise.allSettled(parts);
      throw error;
    }
  };

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
        const { vectors } = await embed(['dimensions'], { purpose: 'query', signal });
        const [vector] = vectors;
        if (!vector) throw new ProviderFailure('the provider gave a vector of length zero');
        dimensions ??= vector.length;
      }
      return describe(dimensions);
    },
  };
}

function join(parts: readonly Embeddings[]): Embeddings {
  const isCounted = parts.every(({ tokens }) => tokens !== undefined);
  return {
    vectors: parts.flatMap(({ vectors }) => vectors),
    tokens: isCounted ? parts.reduce((sum, { tokens = 0 }) => sum + tokens, 0) : undefined,
  };
}
