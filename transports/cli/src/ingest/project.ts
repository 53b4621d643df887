import { basename } from 'node:path';
import type { Connection } from '../connection/connection.js';
import { severalWorkspaces, type Named } from '../connection/workspaces.js';
import { Failure } from '../failure.js';
import { IDENTITY_FILE, type Identity } from './identity.js';
import { pages } from './remote.js';

export interface Project {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** True where this run created it. */
  readonly created: boolean;
}

export interface ProjectChoice {
  readonly workspace?: string;
  readonly project?: string;
  readonly name?: string;
}

/**
 * The project that a folder goes to: the one of `--project`, else the one kept in the folder, else a new one.
 * With `--name` the kept one goes on only while it has that name. Names never choose an existing project
 * (contract section 1: scope is never guessed from a display name).
 */
export async function resolveProject(
  folder: string,
  choice: ProjectChoice,
  kept: Identity | undefined,
  connection: Connection,
  signal: AbortSignal,
): Promise<Project> {
  if (choice.project !== undefined) {
    const project = await existing(choice.project, connection, signal);
    return inWorkspace(project, choice.workspace);
  }
  if (kept && (choice.workspace === undefined || choice.workspace === kept.workspace_id)) {
    try {
      const project = await existing(kept.project_id, connection, signal);
      if (choice.name === undefined || choice.name === project.name) return project;
    } catch (thrown) {
      const gone = thrown instanceof Failure && thrown.code === 'NOT_FOUND';
      if (!gone) throw thrown;
      if (choice.name === undefined) {
        throw new Failure(
          `The project ${kept.project_id} that ${IDENTITY_FILE} names is not on ${connection.where}.`,
          {
            code: 'NOT_FOUND',
            next: `Delete ${IDENTITY_FILE} to start anew, or pass --name NAME; if the service is another one, pass --url or --data.`,
          },
        );
      }
    }
  }
  const workspaceId = choice.workspace ?? (await onlyWorkspace(connection, signal));
  const name = choice.name ?? (basename(folder) || 'root');
  return create(workspaceId, name, connection, signal);
}

async function create(
  workspaceId: string,
  name: string,
  connection: Connection,
  signal: AbortSignal,
): Promise<Project> {
  try {
    const made = await connection.call('projects_create', { workspace_id: workspaceId, name }, { signal });
    return { id: String(made['id']), workspaceId, name, created: true };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'CONFLICT') throw thrown;
    let twin = 'ID';
    const known = pages<Named>(connection, 'projects_list', { workspace_id: workspaceId }, signal);
    for await (const project of known) if (project.name === name) twin = project.id;
    throw new Failure(`The workspace has a project named "${name}" already.`, {
      code: 'CONFLICT',
      next: `Go on with that one: --project ${twin}   or make another: --name OTHER-NAME`,
      cause: thrown,
    });
  }
}

async function existing(id: string, connection: Connection, signal: AbortSignal): Promise<Project> {
  const project = await connection.call('projects_get', { project_id: id }, { signal, repeatable: true });
  return {
    id: String(project['id']),
    workspaceId: String(project['workspace_id']),
    name: String(project['name']),
    created: false,
  };
}

function inWorkspace(project: Project, workspace: string | undefined): Project {
  if (workspace === undefined || workspace === project.workspaceId) return project;
  throw new Failure(`Project ${project.id} is in workspace ${project.workspaceId}, not in ${workspace}.`, {
    next: 'Leave out --workspace, or give the one it is in.',
  });
}

/** The one workspace there is; makes one named "default" where there is none. */
async function onlyWorkspace(connection: Connection, signal: AbortSignal): Promise<string> {
  const found: Named[] = [];
  for await (const workspace of pages<Named>(connection, 'workspaces_list', {}, signal))
    found.push(workspace);
  const [first, ...others] = found;
  if (first === undefined) {
    const made = await connection.call('workspaces_create', { name: 'default' }, { signal });
    return String(made['id']);
  }
  if (others.length === 0) return first.id;
  throw severalWorkspaces(found, found.length, { flag: '--workspace' });
}
