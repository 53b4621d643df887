import { invalidArgument, ServiceError, type Admission, type Issue } from '@service-mcp/core';
import { ProviderFailure, type Embedder, type Embedders } from '@service-mcp/plugin-search/contract';

export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly kind: 'query' | 'passage';
  /** Whose embedder; undefined for that of the deployment, or of the caller's only workspace. */
  readonly workspaceId: string | undefined;
}

export interface EmbeddedTexts {
  readonly embedder: Embedder;
  readonly embeddings: readonly Float32Array[];
  /** Undefined where the embedder does not count them. */
  readonly tokens: number | undefined;
}

/**
 * The vectors of texts, and what made them. Throws INVALID_ARGUMENT where a workspace has to be named, where a text has no
 * vector, and for input that the provider refuses; UNAVAILABLE while the provider gives no vectors.
 */
export async function embedTexts(
  { texts, kind, workspaceId }: EmbedRequest,
  embedders: Embedders,
  { workspaceIds }: Admission,
  signal: AbortSignal,
): Promise<EmbeddedTexts> {
  try {
    const embedder =
      workspaceId === undefined
        ? ((await embedders.provided()) ?? (await embedders.active(onlyOf(workspaceIds))))
        : await embedders.active(workspaceId);
    const { vectors, tokens } = await embedder.embed(texts, kind, signal);
    return { embedder, embeddings: allKnown(vectors), tokens };
  } catch (error) {
    throw error instanceof ProviderFailure ? asServiceError(error) : error;
  }
}

function onlyOf(workspaceIds: readonly string[]): string {
  const [only, ...more] = workspaceIds;
  if (only === undefined)
    throw invalidArgument(
      '/workspace_id',
      'each workspace has an embedder of its own, and you have none yet: make one with workspaces_create',
    );
  if (more.length > 0)
    throw invalidArgument(
      '/workspace_id',
      `is required, because each of your ${String(workspaceIds.length)} workspaces has an embedder of its own: call workspaces_list for the ids`,
    );
  return only;
}

/** A zero vector would pass for a meaning, and have no angle to any other. */
function allKnown(vectors: readonly (Float32Array | null)[]): Float32Array[] {
  const message = 'holds no word that this embedder knows: leave it out, or write more of it';
  const issues = vectors.flatMap((vector, at): Issue[] =>
    vector ? [] : [{ path: `/input/${String(at)}`, message }],
  );
  if (issues.length > 0) {
    const [first] = issues;
    const others =
      issues.length > 1 ? ` The same is true of ${String(issues.length - 1)} more (details).` : '';
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `${first?.path.slice(1).replace('/', '.') ?? 'input'}: ${message}.${others}`,
      { details: { issues } },
    );
  }
  return vectors as Float32Array[]; // none is null
}

function asServiceError(failure: ProviderFailure): ServiceError {
  const { message, refused, retryAfterMs } = failure;
  if (refused)
    return new ServiceError(
      'INVALID_ARGUMENT',
      `input: the embedding provider does not take it: ${message}. Send fewer or shorter texts; if it takes none at all, tell the operator.`,
      { cause: failure },
    );
  const retry_after = Math.ceil(retryAfterMs / 1000);
  const when = retry_after > 0 ? `in ${String(retry_after)} s` : 'later';
  return new ServiceError(
    'UNAVAILABLE',
    `The embedding provider gives no vectors: ${message}. Try again ${when}; if it stays, tell the operator, who sees the same in service-mcp doctor.`,
    { cause: failure, ...(retry_after > 0 && { details: { retry_after } }) },
  );
}
