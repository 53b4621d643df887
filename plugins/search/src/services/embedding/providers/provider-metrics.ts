import type { Metrics } from '@service-mcp/core';
import { ProviderFailure } from '../../models/provider-failure.js';
import type { Provider } from './provider.js';

/** Registers the metrics of embedding providers. Returns how to count what one does. */
export function providerMetrics(metrics: Metrics): (provider: Provider) => Provider {
  const countCall = metrics.counter({
    name: 'service_mcp_embedding_calls_total',
    help: 'Calls of embedding providers by outcome: ok, refused (the input), failed, cancelled',
    labels: ['outcome'],
  });
  const countTokens = metrics.counter({
    name: 'service_mcp_embedding_tokens_total',
    help: 'Tokens that embedding providers have embedded, of those that count them',
  });
  return (provider) => ({
    ...provider,
    async embed(texts, options) {
      try {
        const embeddings = await provider.embed(texts, options);
        countCall(1, { outcome: 'ok' });
        countTokens(embeddings.tokens ?? 0);
        return embeddings;
      } catch (error) {
        const outcome = options.signal?.aborted
          ? 'cancelled'
          : error instanceof ProviderFailure && error.refused
            ? 'refused'
            : 'failed';
        countCall(1, { outcome });
        throw error;
      }
    },
  });
}
