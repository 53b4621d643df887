import { ProviderFailure } from '../models/provider-failure.js';
import type { Spaces, WorkspaceEmbedder } from '../embedding/spaces.js';

export const PROVIDER_AWAY =
  'degraded: the embedding provider does not answer, so that nothing is ranked by meaning here: use search_keyword, or ask again later.';

/** The vector of a query in the active space; undefined while its provider does not answer. */
export async function embedQuery(
  spaces: Pick<Spaces, 'active'>,
  workspaceId: string,
  query: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly embedder: WorkspaceEmbedder; readonly vector: Float32Array | null } | undefined> {
  try {
    const embedder = await spaces.active(workspaceId);
    return { embedder, vector: await embedder.embedQuery(query, signal) };
  } catch (error) {
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}
