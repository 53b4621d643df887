import { createHash } from 'node:crypto';
import type { Events } from '../change-events.js';
import type { Database } from '../database.js';
import { TOOLS_CHANGED } from '../events/event-types.js';
import type { Registry } from './registry.js';

const NAME = 'toolset';

/** Digest of what a deployment can list: tools, the default selection, resources and prompts. */
export function listsDigest(registry: Registry): string {
  const tools = registry.allowed.map(({ info }) => info);
  const others = registry.plugins
    .flatMap(({ resources, prompts }) => [...resources, ...prompts])
    .map(({ uses: _uses, ...shown }) => shown);
  return createHash('sha256')
    .update(JSON.stringify([tools, registry.defaultSelection(), others]))
    .digest('base64url');
}

/** Records `tools.changed` where the deployment lists something else than when it was last started. */
export async function noteLists(database: Database, events: Events, value: string): Promise<void> {
  const known = await database
    .sql<{ name: string; value: string }>('deployment_values')
    .where({ name: NAME })
    .first();
  if (known?.value === value) return;
  await events.change(async (sql, record) => {
    await sql('deployment_values').insert({ name: NAME, value }).onConflict('name').merge();
    if (known) record({ type: TOOLS_CHANGED.type, workspaceId: null, data: {} });
  });
}
