import {
  CallAdmission,
  Clock,
  Database,
  Events,
  ServiceError,
  notFound,
  provideForCall,
  WORK_PENDING,
  selectPage,
  token,
  uuidv7,
  type PageOf,
  type Sql,
} from '@service-mcp/core';
import { IndexStatuses, ProjectData } from '../contract.js';
import type { Project } from '../schemas.js';
import { lockWorkspace, pruneContents } from './contents.js';

export interface ProjectChanges {
  readonly name?: string;
  readonly description?: string;
  readonly repository_url?: string;
}

/** The projects of the workspaces that a call was admitted to. */
export interface ProjectRepository {
  list(request: { page: number; per_page: number }): Promise<PageOf<Project>>;
  get(id: string): Promise<Project>;
  /** Throws CONFLICT with the twin's id where the workspace has a project of that name. */
  create(input: { name: string; description: string; repository_url?: string }): Promise<Project>;
  update(id: string, changes: ProjectChanges): Promise<Project>;
  /** With all that every plugin keeps of it, in one transaction. */
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
    admission: CallAdmission,
  },
  create: ({ database, clock, events, statuses, data, admission }) => {
    const now = () => clock.now().toISOString();
    const living = (sql: Sql) =>
      sql<Row>('projects')
        .whereIn('workspace_id', [...admission.workspaceIds])
        .select(...COLUMNS);

    const changed = (type: string, project_id: string, more: object = {}) => ({
      type,
      workspaceId: admission.workspaceId,
      data: { project_id, ...more },
    });

    async function withIndex(row: Row): Promise<Project> {
      const { pending, indexed, failed, state, indexedAt } = await statuses.read(row.workspace_id, row.id);
      return {
        ...row,
        file_count: pending + indexed + failed,
        indexed_at: indexedAt,
        indexing_status: state,
      };
    }
    async function get(id: string): Promise<Project> {
      const row = await living(database.sql).where({ id }).first();
      if (!row) throw notFound('project', id, 'projects_list');
      return withIndex(row);
    }
    async function refuseTwin(sql: Sql, workspaceId: string, name: string, except?: string): Promise<void> {
      const twin = await sql<Row>('projects').where({ workspace_id: workspaceId, name }).first('id');
      if (twin && twin.id !== except) {
        throw new ServiceError(
          'CONFLICT',
          `The workspace has a project named "${name}". Use it, or choose another name.`,
          { details: { project_id: twin.id } },
        );
      }
    }

    return {
      async list(request) {
        const page = await selectPage<Row, Row>(
          living(database.sql).orderBy([{ column: 'name' }, { column: 'id' }]),
          request,
          (row) => row,
        );
        return { ...page, items: await Promise.all(page.items.map(withIndex)) };
      },
      get,
      async create(input) {
        const at = now();
        const workspace_id = admission.workspaceId;
        const row: Row = {
          id: uuidv7(),
          workspace_id,
          repository_url: null,
          ...input,
          created_at: at,
          updated_at: at,
        };
        const { name, description, repository_url } = row;
        await events
          .change(async (sql, record) => {
            await refuseTwin(sql, workspace_id, name);
            await sql('projects').insert({
              id: row.id,
              workspace_id,
              name,
              description,
              repository_url,
              created_at: at,
              updated_at: at,
            });
            record(changed('project.created', row.id, { name }));
          })
          .catch(async (error: unknown) => {
            await refuseTwin(database.sql, workspace_id, name); // two made it at once: the index let one in
            throw error;
          });
        return get(row.id);
      },
      async update(id, changes) {
        await events.change(async (sql, record) => {
          if (changes.name !== undefined) await refuseTwin(sql, admission.workspaceId, changes.name, id);
          await sql('projects')
            .where({ id, workspace_id: admission.workspaceId })
            .update({ ...changes, updated_at: now() });
          const row = await sql<Row>('projects').where({ id }).first('name');
          if (row) record(changed('project.updated', id, { name: row.name }));
        });
        return get(id);
      },
      async delete(id) {
        const workspace_id = admission.workspaceId;
        await events.change(async (sql, record) => {
          await lockWorkspace(sql, database.engine, workspace_id);
          const project: unknown = await sql('projects').where({ id, workspace_id }).forUpdate().first('id');
          if (!project) return;
          for (const part of data) await part.erase(sql, id, workspace_id);
          for (const table of ['file_work', 'files']) await sql(table).where({ project_id: id }).delete();
          await sql('projects').where({ id }).delete();
          await pruneContents(sql, workspace_id);
          record(changed('project.deleted', id));
        });
        events.wake(WORK_PENDING);
      },
    };
  },
});
