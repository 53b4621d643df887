import { basename } from 'node:path';
import { commandName } from '../command-name.js';
import { listAll, type Connection } from '../connection/connection.js';
import type { DeploymentOptions } from '../deployment.js';
import { chooseWorkspace, onlyOrFirstWorkspace } from '../connection/workspaces.js';
import { Failure, isRefusal } from '../failure.js';
import { printable, quoted } from '../terminal/format.js';
import { LINK_FILE, type ProjectLink } from './project-link.js';

export interface Project {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** True where this run created it. */
  readonly created: boolean;
}

/** The options that name a project, and the deployment where that is opened in this process. */
export interface ProjectChoice extends DeploymentOptions {
  readonly workspace?: string;
  readonly project?: string;
  readonly name?: string;
}

/**
 * The project that a folder is ingested into: the one of `--project`, else the one kept in the folder, else a new one.
 * With `--name` the kept one is used only while it has that name. Names never choose an existing project (contract
 * section 1: scope is never guessed from a display name).
 */
export async function resolveProject(
  folder: string,
  options: ProjectChoice,
  link: ProjectLink | undefined,
  connection: Connection,
): Promise<Project> {
  const { project: id, workspace, name } = options;
  if (id !== undefined) {
    const project = await namedProject(id, connection, connection.target);
    if (workspace === undefined || workspace === project.workspaceId) return project;
    throw new Failure(`Project ${id} is in workspace ${project.workspaceId}, not in ${workspace}.`, {
      next: 'Leave out --workspace, or give the one it is in.',
    });
  }
  if (link && (workspace === undefined || workspace === link.workspace_id)) {
    const project = await getProject(link.project_id, connection).catch((thrown: unknown) => {
      if (!isRefusal(thrown, 'NOT_FOUND')) throw thrown;
      if (name !== undefined) return undefined;
      throw thrown.with(
        {
          next: `Delete ${LINK_FILE} to start over, or pass --name NAME; if the service is another one, pass --url or --data.`,
        },
        `The project ${link.project_id} that ${LINK_FILE} names is not on ${connection.where}.`,
      );
    });
    if (project && (name === undefined || name === project.name)) return project;
  }
  const workspaceId = workspace ?? (await onlyOrFirstWorkspace(connection, '--workspace')).id;
  return createProject(workspaceId, name ?? (basename(folder) || 'root'), connection);
}

async function createProject(workspaceId: string, name: string, connection: Connection): Promise<Project> {
  const scope = { workspace_id: workspaceId };
  try {
    const { id } = await connection.call('projects_create', { ...scope, name });
    return { id, workspaceId, name, created: true };
  } catch (thrown) {
    if (!isRefusal(thrown, 'CONFLICT')) return chooseWorkspace(connection, scope, '--workspace')(thrown);
    const projects = await listAll(connection, 'projects_list', scope);
    const existing = projects.find((project) => project.name === name)?.id ?? 'ID';
    throw thrown.with(
      { next: `Use that one: --project ${existing}   or make another: --name OTHER-NAME`, issues: [] },
      `The workspace has a project named "${name}" already.`,
    );
  }
}

/** The project of an id that the command line names. A name is advised on: it may be meant for a new project. */
async function namedProject(id: string, connection: Connection, target: string): Promise<Project> {
  return getProject(id, connection).catch((thrown: unknown) => {
    const [issue] = thrown instanceof Failure ? thrown.issues : [];
    if (!isRefusal(thrown, 'INVALID_ARGUMENT') || issue?.path !== '/project_id') throw thrown;
    throw thrown.with(
      {
        next: `List the ids with: ${commandName()} call${target} projects_list   or make a project of that name: --name ${quoted(id)}`,
        issues: [],
      },
      `--project takes the id of a project; "${printable(id)}" is not one.`,
    );
  });
}

async function getProject(id: string, connection: Connection): Promise<Project> {
  const project = await connection.call('projects_get', { project_id: id }, { repeatable: true });
  return { id: project.id, workspaceId: project.workspace_id, name: project.name, created: false };
}
