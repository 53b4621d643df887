import { createHash } from 'node:crypto';
import type { Embeddings, MadeVectors } from '../../../contract.js';

/** What makes the vectors of a space that is not embedded in this service. Stored with the space, as JSON. */
export interface ProviderDescription {
  readonly provider: 'openai' | 'model2vec' | 'onnx';
  readonly model: string;
  /** The address of a service, or the folder of a model: not part of the identity. */
  readonly place: string;
  /** SHA-256 of the weights; empty for a service, whose model is known by its name. */
  readonly digest: string;
  readonly dimensions: number;
  /** True where each request asks for that many dimensions. */
  readonly asksDimensions: boolean;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly pooling: string;
}

/** Makes vectors outside of this service's own embedders: a service elsewhere, or a model on disk. */
export interface Provider {
  /**
   * Whether its vectors belong into the space of that description. The dimensions of one that does are taken as known, so
   * that a provider which is away at the start need not be asked.
   */
  makes(description: ProviderDescription): boolean;
  /** Throws ProviderFailure where the dimensions are not known yet and cannot be asked. */
  describe(signal?: AbortSignal): Promise<ProviderDescription>;
  /** Embeds texts, which have their prefixes already. Throws ProviderFailure. */
  embed(
    texts: readonly string[],
    options: {
      readonly purpose: Purpose;
      readonly signal?: AbortSignal | undefined;
      /** Takes the vectors of each request as it is answered: a later one may fail. */
      readonly made?: MadeVectors | undefined;
    },
  ): Promise<Embeddings>;
}

/** `query`: a person waits for a search; `call`: a caller waits for all texts; `passage`: nobody waits. */
export type Purpose = 'query' | 'call' | 'passage';

/** The identity of a vector space: a hash of everything that shapes the vector of a text. What is cut into texts how does not. */
export function spaceIdOf(
  description: Omit<ProviderDescription, 'place' | 'provider' | 'asksDimensions'> & {
    readonly provider: string;
  },
): string {
  const { provider, model, digest, dimensions, queryPrefix, passagePrefix, pooling } = description;
  const parts = [provider, model, digest, dimensions, [queryPrefix, passagePrefix], pooling];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
