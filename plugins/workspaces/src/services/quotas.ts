import { Database, Quotas, ServiceError, provide, token, type Sql } from '@service-mcp/core';
import { config } from '../config.js';
import { holdWorkspace, requireWorkspace } from './workspace-lock.js';

const RESOURCES = ['files', 'bytes', 'events', 'nodes'] as const;
type Resource = (typeof RESOURCES)[number];

/** How a caller makes room. The lists `light` and `standard` have no tools that delete. */
const REMEDIES: Readonly<Record<Resource, string>> = {
  files: 'Delete files with files_delete, or a project with projects_delete',
  bytes: 'Delete files with files_delete, or a project with projects_delete',
  events: 'Delete events with memory_delete_many, or merge them with memory_merge',
  nodes: 'Delete nodes with memory_delete_many, or merge them with memory_merge',
};

export interface Quota {
  readonly resource: Resource;
  readonly limit: number;
  readonly used: number;
}

/** The quotas that the operator set, with what a workspace uses of each. */
export interface QuotaReport {
  read(workspaceId: string): Promise<Quota[]>;
}
export const QuotaReport = token<QuotaReport>('workspaces.QuotaReport');

interface Row {
  readonly workspace_id: string;
  readonly resource: string;
  readonly used: number;
}

/**
 * Counts are kept whether a quota is set or not, so that one can be set at any time. Two transactions that change the same
 * count wait for each other, which makes quotas exact; it is the last lock that a transaction takes, so none waits for
 * another one meanwhile. Only the first record of a kind locks its workspace after it.
 */
export const quotas = provide(Quotas, {
  uses: { settings: config.token },
  create: ({ settings }): Quotas => ({
    async count(sql, workspace_id, changes) {
      let isFirst = false;
      for (const resource of RESOURCES) {
        const added = changes[resource] ?? 0;
        if (added === 0) continue;
        const [row] = await sql<Row>('quota_counts')
          .insert({ workspace_id, resource, used: added })
          .onConflict(['workspace_id', 'resource'])
          .merge({ used: sql.raw('quota_counts.used + excluded.used') })
          .returning('used');
        const used = (row?.used ?? added) - added;
        const limit = limitOf(settings, resource);
        if (added > 0 && used + added > limit) throw exhausted({ resource, limit, used }, added);
        if (added > 0 && used <= 0) isFirst = true;
      }
      // The deletion of a workspace takes its counts before its records: one above zero shows that the workspace is there,
      // and its deletion waits for this transaction and finds what it wrote. Others wait for a deletion that has begun.
      if (isFirst) await requireWorkspace(sql, workspace_id);
      else if (growsUncounted(changes)) await holdWorkspace(sql, workspace_id);
    },
    async room(sql, workspaceId, name) {
      const resource = RESOURCES.find((known) => known === name);
      const limit = resource === undefined ? Infinity : limitOf(settings, resource);
      if (resource === undefined || limit === Infinity) return undefined;
      const used = (await usedIn(sql, workspaceId)).get(resource) ?? 0;
      const left = Math.max(0, limit - used);
      return { left, refusal: exhausted({ resource, limit, used: used + left }, 1) };
    },
  }),
});

export const quotaReport = provide(QuotaReport, {
  uses: { database: Database, settings: config.token },
  create: ({ database, settings }): QuotaReport => ({
    async read(workspaceId) {
      const set = RESOURCES.filter((resource) => limitOf(settings, resource) !== Infinity);
      if (set.length === 0) return [];
      const used = await usedIn(database.sql, workspaceId);
      return set.map((resource) => {
        return { resource, limit: limitOf(settings, resource), used: used.get(resource) ?? 0 };
      });
    },
  }),
});

function growsUncounted(changes: Readonly<Record<string, number>>): boolean {
  return Object.entries(changes).some(
    ([name, added]) => added > 0 && !RESOURCES.some((resource) => resource === name),
  );
}

async function usedIn(sql: Sql, workspace_id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<Row>('quota_counts').where({ workspace_id }).select('resource', 'used');
  return new Map(rows.map(({ resource, used }) => [resource, used]));
}

/** Without a quota: Infinity. */
function limitOf(settings: Readonly<Record<`quota_${Resource}`, number>>, resource: Resource): number {
  return settings[`quota_${resource}`] || Infinity;
}

function exhausted({ resource, limit, used }: Quota, added: number): ServiceError {
  const allowed = `${limit} ${limit === 1 ? resource.slice(0, -1) : resource}`;
  return new ServiceError(
    'RESOURCE_EXHAUSTED',
    `The workspace may hold ${allowed} and holds ${used}; this adds ${added}. ${REMEDIES[resource]} (tools of the toolset complete), or ask the operator to raise quota_${resource}.`,
    { details: { resource, limit, used } },
  );
}
