import { createHash } from 'node:crypto';
import type { Events } from '../change-events.js';
import type { Database } from '../database.js';
import { TOOLS_CHANGED } from '../events/event-types.js';
import type { Registry } from './registry.js';

const NAME = 'toolset';

/** Records `tools.changed` where the deployment offers other tools than when it was last started. */
export async function noteTools(database: Database, events: Events, registry: Registry): Promise<void> {
  const shown = registry.allowed.map(({ info }) => info);
  const value = createHash('sha256')
    .update(JSON.stringify([shown, registry.defaultSelection()]))
    .digest('base64url');
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
