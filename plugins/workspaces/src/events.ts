import { Type, type TProperties } from 'typebox';
import { ROLES, closed, type EventType } from '@service-mcp/core';

const WorkspaceId = Type.String({ description: 'Workspace id' });
const ProjectId = Type.String({ description: 'Project id' });
const Name = Type.String({ description: 'Name' });
const Path = Type.String({ description: 'Path inside the project' });
const MembershipId = Type.String({ description: 'Id of the membership' });
const membership = {
  id: MembershipId,
  user_id: Type.String({ description: 'User id of the member' }),
};
const Role = Type.Enum([...ROLES], { description: 'New role of the member' });

const READ = 'workspaces:read';
const CHANGE_ACCESS = new Set(['workspace.created', 'workspace.deleted', 'member.added', 'member.removed']);
/** Recorded by callers of Memberships.join, of invite and withdraw of PendingMemberships, and by the deletion of an account. */
const SHARED = new Set([
  'member.added',
  'member.invited',
  'member.uninvited',
  'member.removed',
  'workspace.deleted',
]);

const event = (type: string, description: string, data: TProperties): EventType => ({
  type,
  description,
  scope: READ,
  data: Type.Object(data, closed),
  ...(CHANGE_ACCESS.has(type) && { changesAccess: true }),
  ...(SHARED.has(type) && { shared: true }),
});

/** Changes of this plugin's records: ids and names only, never content. */
export const eventTypes: readonly EventType[] = [
  event('workspace.created', 'A workspace was created.', { workspace_id: WorkspaceId, name: Name }),
  event('workspace.updated', 'A workspace has a new name or description.', {
    workspace_id: WorkspaceId,
    name: Name,
  }),
  event('workspace.deleted', 'A workspace was deleted with all its contents.', {
    workspace_id: WorkspaceId,
  }),
  event('member.invited', 'A person was invited to a workspace, or to another role in it.', {
    id: MembershipId,
    role: Role,
  }),
  event('member.uninvited', 'An invitation was declined or withdrawn.', { id: MembershipId }),
  event('member.added', 'A person became a member of a workspace.', { ...membership, role: Role }),
  event('member.updated', 'A member of a workspace has another role.', { ...membership, role: Role }),
  event('member.removed', 'A person is no longer a member of a workspace.', membership),
  event('project.created', 'A project was created.', { project_id: ProjectId, name: Name }),
  event('project.updated', 'A project has a new name or description.', { project_id: ProjectId, name: Name }),
  event('project.deleted', 'A project was deleted with its files.', { project_id: ProjectId }),
  event(
    'project.ready',
    'A project has no pending files: the last one was indexed, failed or left the index.',
    {
      project_id: ProjectId,
      indexed: Type.Integer({ description: 'Number of indexed files' }),
      failed: Type.Integer({ description: 'Number of failed files' }),
    },
  ),
  event('file.indexed', 'A file was indexed as it is now.', { project_id: ProjectId, path: Path }),
  event('file.failed', 'A file could not be indexed.', {
    project_id: ProjectId,
    path: Path,
    error: Type.String({ description: 'Reason' }),
  }),
  event('file.removed', 'A deleted file has left the index.', { project_id: ProjectId, path: Path }),
];
