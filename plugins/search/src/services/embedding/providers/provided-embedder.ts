import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../../contract.js';
import { spaceIdOf, type Provider, type ProviderDescription } from './provider.js';

/** Vectors of queries that are kept: the pages of one search ask once. */
const MAX_QUERIES = 500;

/** The embedder of a provider's space. Throws ProviderFailure. */
export function embedderOf(provider: Provider, description: ProviderDescription): Embedder {
  const { dimensions, queryPrefix, passagePrefix } = description;
  const queries = new LRUCache<string, Float32Array>({ max: MAX_QUERIES });
  return {
    spaceId: spaceIdOf(description),
    dimensions,
    model: `${description.provider}/${description.model}`,
    embed(texts, kind, signal) {
      const prefix = kind === 'query' ? queryPrefix : passagePrefix;
      return provider.embed(
        texts.map((text) => prefix + text),
        { purpose: 'call', signal },
      );
    },
    async embedPassages(passages, signal, made) {
      const texts = passages.map(({ title, text }) => `${passagePrefix}${title}\n${text}`);
      return (await provider.embed(texts, { purpose: 'passage', signal, made })).vectors;
    },
    async embedQuery(query, signal) {
      const known = queries.get(query);
      if (known) return known;
      const { vectors } = await provider.embed([queryPrefix + query], { purpose: 'query', signal });
      const [vector = null] = vectors;
      if (vector) queries.set(query, vector);
      return vector;
    },
  };
}
