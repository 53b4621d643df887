import type { TermCounts } from '../analysis/analyse.js';
import { DIMENSIONS } from '../index/tables.js';
import { hashedEmbedding } from './hashed-embedder.js';
import { TermEmbedder, unpack } from './term-model.js';

/** Embeds a text by its terms. Null where none is known. */
export type EmbedTerms = (counts: TermCounts) => Float32Array | null;

/** The embedder of a packed term model, or of hashed vectors. */
export function embedTermsBy(packedModel: Uint8Array | undefined): EmbedTerms {
  if (!packedModel) return (counts) => hashedEmbedding(counts, DIMENSIONS);
  const embedder = new TermEmbedder(unpack(packedModel));
  return (counts) => embedder.embed(counts);
}
