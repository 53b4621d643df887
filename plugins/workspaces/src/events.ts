import { Type, type TProperties } from 'typebox';
import { ROLES, closed, type EventType } from '@service-mcp/core';

const WorkspaceId = Type.String({ description: 'Workspace id' });
const ProjectId = Type.String({ description: 'Project id' });
const Name = Type.String({ description: 'Its name' });
const Path = Type.String({ description: 'Path inside the project' });
const membership = {
  id: Type.String({ description: 'Of the membership' }),
  user_id: Type.String({ description: 'Whose it is' }),
};
const Role = Type.Enum([...ROLES], { description: 'The role from now on' });

const READ = 'workspaces:read';
const CHANGE_ACCESS = new Set(['workspace.created', 'workspace.deleted', 'member.added', 'member.removed']);

const event = (type: string, description: string, data: TProperties): EventType => ({
  type,
  description,
  scope: READ,
  data: Type.Object(data, closed),
  ...(CHANGE_ACCESS.has(type) && { changesAccess: true }),
  ...(type === 'member.added' && { shared: true }), // recorded by any caller of Memberships.join
});

/** Every change of this plugin's records; ids and names alone, never content. */
export const eventTypes: readonly EventType[] = [
  event('workspace.created', 'A workspace was made.', { workspace_id: WorkspaceId, name: Name }),
  event('workspace.updated', 'A workspace has a new name or description.', {
    workspace_id: WorkspaceId,
    name: Name,
  }),
  event('workspace.deleted', 'A workspace was deleted with all that was in it.', {
    workspace_id: WorkspaceId,
  }),
  event('member.added', 'A person became a member of a workspace.', { ...membership, role: Role }),
  event('member.updated', 'A member of a workspace has another role.', { ...membership, role: Role }),
  event('member.removed', 'A person is no longer a member of a workspace.', membership),
  event('project.created', 'A project was made.', { project_id: ProjectId, name: Name }),
  event('project.updated', 'A project has a new name or description.', { project_id: ProjectId, name: Name }),
  event('project.deleted', 'A project was deleted with its files.', { project_id: ProjectId }),
  event(
    'project.ready',
    'Nothing of a project waits to be indexed any more: the last pending file was indexed, failed or left the index.',
    {
      project_id: ProjectId,
      indexed: Type.Integer({ description: 'Files that are indexed' }),
      failed: Type.Integer({ description: 'Files that could not be' }),
    },
  ),
  event('file.indexed', 'A file was indexed as it is now.', { project_id: ProjectId, path: Path }),
  event('file.failed', 'A file could not be indexed.', {
    project_id: ProjectId,
    path: Path,
    error: Type.String({ description: 'Why' }),
  }),
  event('file.removed', 'A deleted file has left the index.', { project_id: ProjectId, path: Path }),
];
