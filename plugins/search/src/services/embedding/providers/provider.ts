import { createHash } from 'node:crypto';
import { CHUNKER_VERSION } from '../../chunking/chunk.js';

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
  /**
   * A vector of length 1 for each text, in order; null for a text without one. Texts have their prefixes already.
   * `query`: a person waits. Throws ProviderFailure.
   */
  embed(
    texts: readonly string[],
    options: { readonly purpose: 'query' | 'passage'; readonly signal?: AbortSignal | undefined },
  ): Promise<(Float32Array | null)[]>;
}

/** The identity of a vector space: a hash of everything that shapes it. */
export function spaceIdOf(
  description: Omit<ProviderDescription, 'place' | 'provider' | 'asksDimensions'> & {
    readonly provider: string;
  },
): string {
  const { provider, model, digest, dimensions, queryPrefix, passagePrefix, pooling } = description;
  const parts = [provider, model, digest, dimensions, [queryPrefix, passagePrefix], pooling, CHUNKER_VERSION];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** A provider that gives no vectors now. Its message names neither texts nor keys, and is for the log. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** True where the provider refuses these texts, and others may do. */
  readonly refused: boolean;
  /** After this time it may answer again, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    options: { readonly refused?: boolean; readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.refused = options.refused ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
