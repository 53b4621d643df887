import {
  Database,
  LocalCatalog,
  Quotas,
  RegistryView,
  ServiceError,
  holdsScope,
  provideForCall,
  roleAtLeast,
  token,
  type AdmittedCall,
} from '@service-mcp/core';
import { KnowledgeNodes } from '@service-mcp/plugin-memory/contract';
import { shortened, type Draft } from '../planning/draft.js';
import { planDocument } from '../planning/plan-document.js';

export interface StoreRequest {
  readonly workspace_id: string;
  readonly project_id?: string;
}

/** Keeps plans in memory, as knowledge nodes of the type goal with the tag plan. */
export interface PlanStore {
  /**
   * Asked before the work of planning: throws PERMISSION_DENIED for a caller who may not write memory, and
   * RESOURCE_EXHAUSTED where the workspace may hold no more nodes.
   */
  check(call: AdmittedCall): Promise<void>;
  /**
   * Stores a plan with relations to its decisions and references to its code; returns its id. Goes through
   * memory_create_node, and so through the checks of that tool.
   */
  save(plan: Draft, request: StoreRequest, call: AdmittedCall): Promise<string>;
}
export const PlanStore = token<PlanStore>('ai.PlanStore');

const SCOPE = 'memory:write';
const MAX_TITLE = 300;
const MAX_REFERENCES = 100;

export const planStore = provideForCall(PlanStore, {
  uses: {
    catalog: LocalCatalog,
    registry: RegistryView,
    nodes: KnowledgeNodes,
    database: Database,
    quotas: Quotas,
  },
  create: ({ catalog, registry, nodes, database, quotas }): PlanStore => ({
    async check({ caller, admission }) {
      const { workspaceId } = admission;
      if (!holdsScope(caller, SCOPE))
        throw new ServiceError(
          'PERMISSION_DENIED',
          `Saving a plan needs the scope ${SCOPE}: leave save out.`,
          {
            details: { scope: SCOPE },
          },
        );
      const role = admission.workspaces.get(workspaceId);
      if (role === undefined || !roleAtLeast(role, 'member'))
        throw new ServiceError(
          'PERMISSION_DENIED',
          'Saving a plan needs the role member in this workspace: leave save out, or ask an admin for the role.',
          { details: { workspace_id: workspaceId } },
        );
      const room = await quotas.room(database.sql, workspaceId, 'nodes');
      if (room?.left === 0) throw room.refusal;
    },

    async save(plan, { workspace_id, project_id }, call) {
      const cited = [...new Set(plan.steps.flatMap(({ decisions }) => decisions))].slice(0, MAX_REFERENCES);
      // A decision may be an event, which has no relations.
      const { items } = await nodes.list({ page: 1, per_page: MAX_REFERENCES }, {}, (query) =>
        query.whereIn('id', cited),
      );
      const result = await catalog.call(
        'memory_create_node',
        {
          workspace_id,
          ...(project_id !== undefined && { project_id }),
          node_type: 'goal',
          title: shortened(`Plan: ${plan.title}`, MAX_TITLE),
          content: planDocument(plan),
          tags: ['plan'],
          metadata: { generator: plan.generator, steps: plan.steps.length },
          code_refs: referencesOf(plan),
          relations: items.map(({ id }) => ({ relation_type: 'depends_on', target_id: id })),
        },
        registry.reach(call),
      );
      if (result.kind !== 'complete') throw new Error('memory_create_node asked for input');
      return String(result.structured['id']);
    },
  }),
});

/** The symbols of a plan, and the files of which it names no symbol; the steps in their order. */
function referencesOf({ steps }: Draft): Array<{ path: string; symbol?: string }> {
  const references = steps.flatMap(({ files, symbols }) => {
    const named = symbols.map((id) => {
      const at = id.indexOf('#');
      return { path: id.slice(0, at), symbol: id.slice(at + 1) };
    });
    const paths = files.filter((path) => !named.some((one) => one.path === path));
    return [...named, ...paths.map((path) => ({ path }))];
  });
  return references.slice(0, MAX_REFERENCES);
}
