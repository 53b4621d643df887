import { LRUCache } from 'lru-cache';
import { embedTermsBy, type EmbedTerms } from '../embedding/embed-terms.js';

/** A vector space whose embedder runs in the thread. */
export interface ThreadSpace {
  readonly spaceId: string;
  readonly dimensions: number;
  /** A packed term model, or that vectors are hashed; absent where the thread may have it already. */
  readonly model?: Uint8Array | 'hashed';
}

/** Embedders in this thread, about 3 MB each. */
const MAX_EMBEDDERS = 8;
const embedders = new LRUCache<string, EmbedTerms>({ max: MAX_EMBEDDERS });

/** The embedder of a space; undefined where neither the thread nor `space` has its model. */
export function embedderOf({ spaceId, model }: ThreadSpace): EmbedTerms | undefined {
  const known = embedders.get(spaceId);
  if (known || model === undefined) return known;
  const embedder = embedTermsBy(model === 'hashed' ? undefined : model);
  embedders.set(spaceId, embedder);
  return embedder;
}
