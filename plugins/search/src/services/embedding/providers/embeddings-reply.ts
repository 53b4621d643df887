import type { Embeddings } from '../../../contract.js';
import { normalise } from '../term-model.js';
import { ProviderFailure } from '../../models/provider-failure.js';

/** No model has more. */
const MAX_DIMENSIONS = 16_384;

/**
 * The vectors of a reply of `/v1/embeddings`, with length 1; null for one of zeros. Throws
 * ProviderFailure for another number of vectors, an index twice, unequal or unexpected dimensions, and numbers that are not
 * finite.
 */
export function readEmbeddings(reply: unknown, count: number, dimensions: number | undefined): Embeddings {
  const { data, usage } = partsOf(reply);
  if (data.length !== count)
    throw new ProviderFailure(`it gave ${String(data.length)} vectors for ${String(count)} texts`);
  const vectors = new Map<number, Float32Array | null>();
  let expected = dimensions;
  for (const item of data) {
    const { index, embedding } = (item ?? {}) as { readonly index?: unknown; readonly embedding?: unknown }; // of any shape
    if (
      typeof index !== 'number' ||
      !Number.isInteger(index) ||
      index < 0 ||
      index >= count ||
      vectors.has(index)
    )
      throw new ProviderFailure('an index of its reply is missing, twice there, or out of range');
    if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS)
      throw new ProviderFailure('a vector of its reply is missing or too long');
    expected ??= embedding.length;
    if (embedding.length !== expected) {
      const found = `${String(embedding.length)} instead of ${String(expected)}`;
      throw new ProviderFailure(`a vector of its reply has ${found} dimensions`);
    }
    const vector = Float32Array.from(embedding, (value: unknown) =>
      typeof value === 'number' ? value : Number.NaN,
    );
    if (!vector.every(Number.isFinite))
      throw new ProviderFailure('a vector of its reply has an entry that is not a finite number');
    vectors.set(index, normalise(vector));
  }
  return {
    vectors: Array.from({ length: count }, (_, index) => vectors.get(index) ?? null),
    tokens: Number.isSafeInteger(usage?.prompt_tokens) ? Number(usage?.prompt_tokens) : undefined,
  };
}

interface Reply {
  readonly data: readonly unknown[];
  readonly usage?: { readonly prompt_tokens?: unknown } | null;
}

function partsOf(reply: unknown): Reply {
  const parts = (reply ?? {}) as Partial<Reply>; // of any shape
  if (Array.isArray(parts.data)) return parts as Reply;
  throw new ProviderFailure('its reply is not a list of embeddings: check that the address ends with /v1');
}
