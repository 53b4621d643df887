import {
  CallAdmission,
  Clock,
  Database,
  Events,
  FormerPlugins,
  Quotas,
  ServiceError,
  notFound,
  provideForCall,
  WORK_PENDING,
  selectPage,
  token,
  uuidv7,
  type PageOf,
  type PageRequest,
  type Sql,
} from '@service-mcp/core';
import { IndexStatuses, ProjectData } from '../contract.js';
import type { Project } from '../schemas.js';
import { differs } from './differs.js';
import { pruneContents } from './contents.js';
import { lockWorkspace, requireWorkspace } from './workspace-lock.js';
import { noteForFormerPlugins } from './late-erasures.js';

interface ProjectValues {
  readonly name: string;
  readonly description: string;
  /** Empty: none. */
  readonly repository_url?: string;
}

/** Projects of the admitted workspaces. */
export interface ProjectRepository {
  list(request: PageRequest): Promise<PageOf<Project>>;
  get(id: string): Promise<Project>;
  /** Throws CONFLICT with the id of the project that has this name in the workspace. */
  create(input: ProjectValues): Promise<Project>;
  /** Where nothing is different, `updated_at` stays and no event is recorded. */
  update(id: string, changes: Partial<ProjectValues>): Promise<Project>;
  /** Deletes a project and its data in every plugin, in one transaction. */
  delete(id: string): Promise<void>;
}
export const ProjectRepository = token<ProjectRepository>('workspaces.ProjectRepository');

type Row = Omit<Project, 'file_count' | 'indexed_at' | 'indexing_status'>;
const COLUMNS = [
  'id',
  'workspace_id',
  'name',
  'description',
  'repository_url',
  'created_at',
  'updated_at',
] as const;

export const projectRepository = provideForCall(ProjectRepository, {
  uses: {
    database: Database,
    clock: Clock,
    events: Events,
    statuses: IndexStatuses,
    data: ProjectData,
    former: FormerPlugins,
    quotas: Quotas,
    admission: CallAdmission,
  },
  create: ({ database, clock, events, statuses, data, former, quotas, admission }) => {
    const now = () => clock.now().toISOString();
    const visible = (sql: Sql) =>
      sql<Row>('projects')
        .whereIn('workspace_id', [...admission.workspaceIds])
        .select(...COLUMNS);

    const changed = (type: string, project_id: string, more: object = {}) => ({
      type,
      workspaceId: admission.workspaceId,
      data: { project_id, ...more },
    });

    async function withIndex(row: Row): Promise<Project> {
      const { pending, indexed, failed, state, indexed_at } = await statuses.read(row.workspace_id, row.id);
      return { ...row, file_count: pending + indexed + failed, indexed_at, indexing_status: state };
    }
    async function get(id: string): Promise<Project> {
      const row = await visible(database.sql).where({ id }).first();
      if (!row) throw notFound('project', id, 'projects_list');
      return withIndex(row);
    }
    async function rejectDuplicate(
      sql: Sql,
      workspace_id: string,
      name: string,
      except?: string,
    ): Promise<void> {
      const duplicate = await sql<Row>('projects').where({ workspace_id, name }).first('id');
      if (duplicate && duplicate.id !== except) {
        throw new ServiceError(
          'CONFLICT',
          `The workspace has a project named "${name}". Use it, or choose another name.`,
          { details: { project_id: duplicate.id } },
        );
      }
    }

    return {
      list(request) {
        const query = visible(database.sql).orderBy([{ column: 'name' }, { column: 'id' }]);
        return selectPage<Row, Project>(query, request, withIndex);
      },
      get,
      async create(input) {
        const { name, description, repository_url } = input;
        const [id, at, workspace_id] = [uuidv7(), now(), admission.workspaceId];
        const row: Row = {
          id,
          workspace_id,
          name,
          description,
          repository_url: repository_url || null,
          created_at: at,
          updated_at: at,
        };
        await events.change(async (sql, record) => {
          await requireWorkspace(sql, workspace_id); // one at a time: of two that take a name, the second sees the first
          await rejectDuplicate(sql, workspace_id, name);
          await sql<Row>('projects').insert(row);
          record(changed('project.created', id, { name }));
        });
        // Read from nowhere: where the database is away after the commit, the caller still learns of it.
        return { ...row, file_count: 0, indexed_at: null, indexing_status: 'not_indexed' };
      },
      async update(id, { repository_url, ...others }) {
        const changes = {
          ...others,
          ...(repository_url !== undefined && { repository_url: repository_url || null }),
        };
        await events.change(async (sql, record) => {
          if (changes.name !== undefined) await lockWorkspace(sql, admission.workspaceId); // as in create
          const row = await visible(sql).where({ id }).forUpdate().first();
          if (!row || !differs(row, changes)) return;
          if (changes.name !== undefined) await rejectDuplicate(sql, admission.workspaceId, changes.name, id);
          await sql('projects')
            .where({ id })
            .update({ ...changes, updated_at: now() });
          record(changed('project.updated', id, { name: changes.name ?? row.name }));
        });
        return get(id);
      },
      async delete(id) {
        const workspace_id = admission.workspaceId;
        await events.change(async (sql, record) => {
          await lockWorkspace(sql, workspace_id);
          const project: unknown = await sql('projects').where({ id, workspace_id }).forUpdate().first('id');
          if (!project) return;
          const held = (await sql('files')
            .where({ project_id: id, deleted: 0 })
            .count({ files: '*' })
            .sum({ bytes: 'bytes' })
            .first()) as { files: number; bytes: number | null };
          for (const part of data) await part.erase(sql, id, workspace_id);
          await noteForFormerPlugins(sql, former, { scope: 'project', id, workspace_id });
          for (const table of ['file_work', 'files', 'file_moves'])
            await sql(table).where({ project_id: id }).delete();
          await sql('projects').where({ id }).delete();
          await pruneContents(sql, workspace_id);
          await quotas.count(sql, workspace_id, { files: -held.files, bytes: -(held.bytes ?? 0) });
          record(changed('project.deleted', id));
        });
        events.wake(WORK_PENDING);
      },
    };
  },
});
