import { plural, timeLimit, type HealthCheck, type Metrics } from '@service-mcp/core';
import { ProviderFailure } from '../models/provider-failure.js';
import type { Spaces } from './spaces.js';
import type { SpaceStore } from './space-store.js';

/** How many workspaces are being embedded again, beside the vectors that serve. */
async function countBuilding(store: SpaceStore): Promise<number> {
  return (await store.list()).filter(({ state }) => state === 'building').length;
}

export function registerSpaceGauge(metrics: Metrics, store: SpaceStore): void {
  metrics.gauge({
    name: 'service_mcp_index_spaces_building',
    help: 'Workspaces whose vectors are being made for another embedder or provider',
    read: async (set) => set(await countBuilding(store)),
  });
}

type Checked = Awaited<ReturnType<HealthCheck['check']>>;

/** How long a provider's health is cached: it is asked for one query. */
const HEALTH_TTL_MS = 60_000;
const HEALTH_TIMEOUT_MS = 3_000;

/** The state of what embeds texts. */
export function providerHealth(spaces: Spaces, store: SpaceStore): HealthCheck {
  let checked: { readonly at: number; readonly health: Checked } | undefined;

  async function look(): Promise<Checked> {
    try {
      const embedder = await spaces.provided();
      if (!embedder) return { status: 'ok', message: 'each workspace has an embedder of its own' };
      // Another text each time: an answer from the cache proves nothing.
      await embedder.embedQuery(`health ${String(Date.now())}`, timeLimit(HEALTH_TIMEOUT_MS));
      return { status: 'ok', message: `${embedder.model}, ${String(embedder.dimensions)} dimensions` };
    } catch (error) {
      const reason = error instanceof ProviderFailure ? error.message : 'it is too slow';
      return {
        status: 'degraded',
        message: `the embedding provider gives no vectors: ${reason}; searches go by keyword alone`,
        remedy: 'check embedding_url, embedding_key and embedding_model, and the provider itself',
      };
    }
  }

  return {
    name: 'embeddings',
    async check() {
      if (!checked || performance.now() - checked.at > HEALTH_TTL_MS)
        checked = { health: await look(), at: performance.now() };
      const building = await countBuilding(store);
      const { health } = checked;
      if (building === 0) return health;
      return {
        ...health,
        message: `${health.message}; it is being made for ${plural(building, 'workspace')}`,
      };
    },
  };
}
