import { definePlugin } from '@service-mcp/core';
import { config } from './config.js';
import { eventTypes } from './events.js';
import { createWorkspaces } from './migrations/001-create-workspaces.js';
import { queueTimes } from './migrations/002-queue-times.js';
import { fileWork } from './migrations/003-file-work.js';
import { packContents } from './migrations/004-pack-contents.js';
import { createPendingMemberships } from './migrations/005-pending-memberships.js';
import { countWork } from './migrations/006-count-work.js';
import { createQuotaCounts } from './migrations/007-create-quota-counts.js';
import { createLateErasures } from './migrations/008-create-late-erasures.js';
import { coverFileCounts } from './migrations/009-cover-file-counts.js';
import { createFileMoves } from './migrations/010-create-file-moves.js';
import { expirePendingMemberships } from './migrations/011-expire-pending-memberships.js';
import { fileResource } from './resources/file.js';
import { projectResource } from './resources/project.js';
import { workspacesResource } from './resources/workspaces.js';
import { accountData } from './services/account-data.js';
import { fileChanges } from './services/file-changes.js';
import { fileWork as fileWorkService } from './services/file-work.js';
import { fileRepository } from './services/file-repository.js';
import { indexStatuses } from './services/index-statuses.js';
import { lateErasures } from './services/late-erasures.js';
import { memberRepository } from './services/member-repository.js';
import { memberships } from './services/memberships.js';
import { overview } from './services/overview.js';
import { pendingExpiry, pendingMemberships } from './services/pending-memberships.js';
import { projectDirectory } from './services/project-directory.js';
import { quotaReport, quotas } from './services/quotas.js';
import { projectOwner, workspaceOwner } from './services/resource-owners.js';
import { projectRepository } from './services/project-repository.js';
import { fileData, workspaceData } from './services/workspace-data.js';
import { screening } from './services/screening.js';
import { workspaceExport } from './services/workspace-export.js';
import { workspaceRepository } from './services/workspace-repository.js';
import { acceptInvitation } from './tools/accept-invitation.js';
import { addMember } from './tools/add-member.js';
import { createProject } from './tools/create-project.js';
import { createWorkspace } from './tools/create-workspace.js';
import { declineInvitation } from './tools/decline-invitation.js';
import { deleteFiles } from './tools/delete-files.js';
import { deleteProject } from './tools/delete-project.js';
import { deleteWorkspace } from './tools/delete-workspace.js';
import { exportWorkspace } from './tools/export-workspace.js';
import { getIndexStatus } from './tools/get-index-status.js';
import { retryIndex } from './tools/retry-index.js';
import { getMember } from './tools/get-member.js';
import { getOverview } from './tools/get-overview.js';
import { getProject } from './tools/get-project.js';
import { getWorkspace } from './tools/get-workspace.js';
import { ingestFiles } from './tools/ingest-files.js';
import { listFiles } from './tools/list-files.js';
import { listInvitations } from './tools/list-invitations.js';
import { listMembers } from './tools/list-members.js';
import { listProjects } from './tools/list-projects.js';
import { listWorkspaces } from './tools/list-workspaces.js';
import { readFile } from './tools/read-file.js';
import { removeMember } from './tools/remove-member.js';
import { updateMember } from './tools/update-member.js';
import { updateProject } from './tools/update-project.js';
import { updateWorkspace } from './tools/update-workspace.js';

export default definePlugin({
  id: 'workspaces',
  description: 'Workspaces, their members, projects and the files in them.',
  api: '^1',
  config,
  migrations: [
    createWorkspaces,
    queueTimes,
    fileWork,
    packContents,
    createPendingMemberships,
    countWork,
    createQuotaCounts,
    createLateErasures,
    coverFileCounts,
    createFileMoves,
    expirePendingMemberships,
  ],
  services: [
    memberships,
    screening,
    pendingMemberships,
    workspaceOwner,
    projectOwner,
    indexStatuses,
    projectDirectory,
    quotas,
    quotaReport,
    fileWorkService,
    fileChanges,
    workspaceData,
    accountData,
    fileData,
    workspaceExport,
    workspaceRepository,
    memberRepository,
    projectRepository,
    fileRepository,
    overview,
  ],
  workers: [lateErasures, pendingExpiry],
  events: eventTypes,
  resources: [workspacesResource, projectResource, fileResource],
  toolsets: [
    {
      id: 'workspaces',
      description: 'Make, find and change workspaces.',
      instructions: (visible) =>
        `This service keeps a team's content and memory in workspaces and searches them.${visible.has('workspaces_list') ? ' Take ids from workspaces_list, never from a display name.' : ''}`,
      tools: [
        listWorkspaces,
        createWorkspace,
        getWorkspace,
        updateWorkspace,
        deleteWorkspace,
        getOverview,
        exportWorkspace,
      ],
    },
    {
      id: 'members',
      description: 'See, invite and change the members of a workspace, and join one.',
      tools: [
        listMembers,
        getMember,
        addMember,
        updateMember,
        removeMember,
        listInvitations,
        acceptInvitation,
        declineInvitation,
      ],
    },
    {
      id: 'projects',
      description: 'Make, find and change projects, and see how far they are indexed.',
      tools: [
        listProjects,
        createProject,
        getProject,
        updateProject,
        deleteProject,
        getIndexStatus,
        retryIndex,
      ],
    },
    {
      id: 'files',
      description: 'Store, list, read and delete the files of a project.',
      tools: [ingestFiles, listFiles, readFile, deleteFiles],
    },
  ],
  views: [
    {
      id: 'workspaces',
      title: 'Workspaces',
      icon: 'workspace',
      about: 'The places that you share projects and memory in, each with members of its own.',
      list: 'workspaces_list',
      columns: ['name', 'description', 'role', 'created_at'],
      create: 'workspaces_create',
      actions: [{ tool: 'workspaces_update', label: 'Edit', with: { workspace_id: 'id' } }],
      remove: { tool: 'workspaces_delete', label: 'Delete', with: { workspace_id: 'id' } },
      refresh_on: ['workspace.', 'member.'],
    },
    {
      id: 'projects',
      title: 'Projects',
      icon: 'folder',
      about: 'The code and documents of this workspace, one project for each folder or repository.',
      list: 'projects_list',
      columns: ['name', 'description', 'file_count', 'indexing_status', 'indexed_at'],
      create: 'projects_create',
      actions: [{ tool: 'projects_update', label: 'Edit', with: { project_id: 'id' } }],
      remove: { tool: 'projects_delete', label: 'Delete', with: { project_id: 'id' } },
      refresh_on: ['project.', 'file.'],
    },
    {
      id: 'members',
      title: 'Members',
      icon: 'people',
      about: 'Who has access to this workspace, with which role, and who is invited to it.',
      accounts: true,
      list: 'members_list',
      columns: ['name', 'email', 'role', 'status', 'created_at'],
      create: 'members_add',
      actions: [
        {
          tool: 'members_update',
          label: 'Change role',
          with: { workspace_id: 'workspace_id', user_id: 'user_id' },
        },
        {
          tool: 'members_remove',
          label: 'Withdraw',
          with: { workspace_id: 'workspace_id', user_id: 'id' },
          unless: 'user_id',
        },
      ],
      remove: {
        tool: 'members_remove',
        label: 'Remove',
        own_label: 'Leave',
        with: { workspace_id: 'workspace_id', user_id: 'user_id' },
      },
      refresh_on: ['member.'],
    },
    {
      id: 'invitations',
      title: 'Invitations for you',
      icon: 'mail',
      about: 'Workspaces that somebody invited you to.',
      accounts: true,
      list: 'members_list_invitations',
      columns: ['workspace', 'role', 'invited_by', 'created_at'],
      actions: [{ tool: 'members_accept', label: 'Accept', with: { membership_id: 'id' } }],
      remove: { tool: 'members_decline', label: 'Decline', with: { membership_id: 'id' } },
      refresh_on: ['member.'],
    },
  ],
});
