import type { SearchConfig } from '../../../config.js';
import { openModel2Vec } from './model2vec-provider.js';
import { openAiProvider } from './openai-provider.js';
import { openOnnx } from './onnx-provider.js';
import type { Provider, ProviderDescription } from './provider.js';

export type ProviderSettings = Pick<SearchConfig, Extract<keyof SearchConfig, `embedding_${string}`>>;

interface Context {
  /** Files beside which optional packages are looked up. */
  readonly packagesFrom: readonly string[];
}

/** The provider that the configuration names; undefined for the embedded one. Throws with a remedy what stops a start. */
export async function openProvider(
  settings: ProviderSettings,
  context: Context,
): Promise<Provider | undefined> {
  const { embedding_provider: provider, embedding_model: model, embedding_pooling: pooling } = settings;
  const place = provider === 'openai' ? settings.embedding_url : settings.embedding_path;
  if (provider === 'embedded') return undefined;
  const missing = (key: string) =>
    new Error(
      `embedding_provider is ${provider}, but ${key} is not set: set it, or take embedding_provider out`,
    );
  if (place === undefined) throw missing(provider === 'openai' ? 'embedding_url' : 'embedding_path');
  if (provider === 'openai' && model === undefined) throw missing('embedding_model');
  const prefixes = {
    queryPrefix: settings.embedding_query_prefix,
    passagePrefix: settings.embedding_passage_prefix,
  };
  const { embedding_dimensions: dimensions } = settings;
  return openPlace(
    { provider, model: model ?? '', place, ...prefixes, pooling },
    dimensions,
    settings,
    context,
  );
}

/**
 * The provider of a space that the configuration does not name any longer: it answers until the new space is built. Throws
 * where it is gone, and for a service where the configuration names none: no text leaves this deployment then.
 */
export async function openFormer(
  description: ProviderDescription,
  settings: ProviderSettings,
  context: Context,
): Promise<Provider> {
  if (description.provider === 'openai' && settings.embedding_provider !== 'openai')
    throw new Error('the configuration names no embedding service any longer');
  const asked = description.asksDimensions ? description.dimensions : undefined;
  const provider = await openPlace(description, asked, settings, context);
  if (description.digest === '' || (await provider.describe()).digest === description.digest) return provider;
  throw new Error('the model of a vector space was replaced on disk');
}

async function openPlace(
  description: Pick<
    ProviderDescription,
    'provider' | 'model' | 'place' | 'queryPrefix' | 'passagePrefix' | 'pooling'
  >,
  dimensions: number | undefined,
  settings: ProviderSettings,
  { packagesFrom }: Context,
): Promise<Provider> {
  const { provider, model, place } = description;
  if (provider === 'model2vec') {
    return openModel2Vec(place, description, model === '' ? undefined : model).catch((cause: Error) => {
      throw new Error(`embedding_path ${place} is not a model2vec folder: ${cause.message}`, { cause });
    });
  }
  if (provider === 'onnx') return openOnnx(place, { ...description, packagesFrom });
  return openAiProvider({
    ...description,
    url: place,
    // The key is for the address that was configured with it.
    key: place === settings.embedding_url ? settings.embedding_key : undefined,
    dimensions,
    batch: settings.embedding_batch,
    timeoutMs: settings.embedding_timeout_ms,
    retryMs: settings.embedding_retry_ms,
  });
}
