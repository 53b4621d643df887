import { normalise } from '../term-model.js';
import { ProviderFailure } from './provider.js';

/** No model has more. */
const MAX_DIMENSIONS = 16_384;
/** Bytes of a reply: a batch of 256 vectors of 4096 dimensions, written with all their digits, has 25 MB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** The body of a reply as text. Throws ProviderFailure for one that is too long. */
export async function readLimited(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    const chunk = part as Uint8Array; // a body is made of bytes
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_REPLY_BYTES) throw new ProviderFailure('its reply is too long');
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * The vectors of a reply of `/v1/embeddings`, in the order of the texts, with length 1; null for one of zeros. Throws
 * ProviderFailure for another number of vectors, an index twice, unequal or unexpected dimensions, and numbers that are not
 * finite.
 */
export function readEmbeddings(
  body: string,
  count: number,
  dimensions: number | undefined,
): (Float32Array | null)[] {
  const data = dataOf(body);
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
  return Array.from({ length: count }, (_, index) => vectors.get(index) ?? null);
}

function dataOf(body: string): readonly unknown[] {
  try {
    const { data } = JSON.parse(body) as { readonly data?: unknown };
    if (Array.isArray(data)) return data;
  } catch {
    // not JSON
  }
  throw new ProviderFailure('its reply is not a list of embeddings');
}
