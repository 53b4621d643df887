import {
  CallAdmission,
  Clock,
  Database,
  Events,
  FormerPlugins,
  inviterOf,
  notFound,
  provideForCall,
  WORK_PENDING,
  WorkspaceData,
  selectPage,
  token,
  uuidv7,
  type Admission,
  type PageOf,
  type PageRequest,
  type Role,
  type Sql,
} from '@service-mcp/core';
import type { Workspace } from '../schemas.js';
import { differs } from './differs.js';
import { eraseWorkspace } from './erase-workspace.js';
import { requireRole } from './role-now.js';
import { lockWorkspace } from './workspace-lock.js';

/** Workspaces that the call was admitted to. */
export interface WorkspaceRepository {
  list(request: PageRequest): Promise<PageOf<Workspace>>;
  get(): Promise<Workspace>;
  /** The caller becomes its owner. */
  create(input: { name: string; description: string }): Promise<Workspace>;
  /** Where nothing is different, `updated_at` stays and no event is recorded. */
  update(changes: { name?: string; description?: string }): Promise<Workspace>;
  /** Deletes the workspace and its data in every plugin, in one transaction. Returns its id. */
  delete(): Promise<string>;
}
export const WorkspaceRepository = token<WorkspaceRepository>('workspaces.WorkspaceRepository');

type Row = Omit<Workspace, 'role'>;
const COLUMNS = ['id', 'name', 'description', 'created_at', 'updated_at'] as const;

export const workspaceRepository = provideForCall(WorkspaceRepository, {
  uses: {
    database: Database,
    clock: Clock,
    events: Events,
    data: WorkspaceData,
    former: FormerPlugins,
    admission: CallAdmission,
  },
  create: ({ database, clock, events, data, former, admission }) => {
    const withRole = (row: Row): Workspace => ({ ...row, role: roleIn(admission, row.id) });
    const now = () => clock.now().toISOString();
    const read = async (sql: Sql): Promise<Workspace> => {
      const id = admission.workspaceId;
      const row = await sql<Row>('workspaces')
        .where({ id })
        .first(...COLUMNS);
      if (!row) throw notFound('workspace', id, 'workspaces_list');
      return withRole(row);
    };
    const changed = (type: string, workspaceId: string, more: object = {}) => ({
      type,
      workspaceId,
      data: { workspace_id: workspaceId, ...more },
    });
    return {
      list: (request) =>
        selectPage<Row, Workspace>(
          database
            .sql('workspaces')
            .whereIn('id', admission.workspaceIds)
            .select(COLUMNS)
            .orderBy([{ column: 'name' }, { column: 'id' }]),
          request,
          withRole,
        ),
      get: () => read(database.sql),
      async create({ name, description }) {
        const at = now();
        const row: Row = { id: uuidv7(), name, description, created_at: at, updated_at: at };
        await events.change(async (sql, record) => {
          await sql('workspaces').insert(row);
          await sql('memberships').insert({
            id: uuidv7(),
            workspace_id: row.id,
            user_id: admission.caller.userId,
            role: 'owner',
            created_at: at,
          });
          record(changed('workspace.created', row.id, { name }));
        });
        return { ...row, role: 'owner' };
      },
      async update(changes) {
        const id = admission.workspaceId;
        return events.change(async (sql, record) => {
          await lockWorkspace(sql, id);
          const row = await read(sql);
          if (!differs(row, changes)) return row;
          await sql('workspaces')
            .where({ id })
            .update({ ...changes, updated_at: now() });
          const updated = await read(sql);
          record(changed('workspace.updated', id, { name: updated.name }));
          return updated;
        });
      },
      async delete() {
        const id = admission.workspaceId;
        await events.change(async (sql, record) => {
          if (!(await lockWorkspace(sql, id))) return;
          await requireRole(sql, { workspaceId: id, by: inviterOf(admission.caller), needed: 'owner' });
          await eraseWorkspace(sql, record, id, { data, former });
        });
        events.wake(WORK_PENDING);
        return id;
      },
    };
  },
});

function roleIn(admission: Admission, workspaceId: string): Role {
  const role = admission.workspaces.get(workspaceId);
  if (!role) throw new Error('a workspace was read that the call was not admitted to');
  return role;
}
