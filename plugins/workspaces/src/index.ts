import { definePlugin } from '@service-mcp/core';
import { config } from './config.js';
import { eventTypes } from './events.js';
import { createWorkspaces } from './migrations/001-create-workspaces.js';
import { queueTimes } from './migrations/002-queue-times.js';
import { fileWork } from './migrations/003-file-work.js';
import { packContents } from './migrations/004-pack-contents.js';
import { fileResource } from './resources/file.js';
import { projectResource } from './resources/project.js';
import { workspacesResource } from './resources/workspaces.js';
import { fileChanges } from './services/file-changes.js';
import { fileWork as fileWorkService } from './services/file-work.js';
import { fileRepository } from './services/file-repository.js';
import { indexStatuses } from './services/index-statuses.js';
import { memberRepository } from './services/member-repository.js';
import { memberships } from './services/memberships.js';
import { overview } from './services/overview.js';
import { projectDirectory } from './services/project-directory.js';
import { projectOwner, workspaceOwner } from './services/resource-owners.js';
import { projectRepository } from './services/project-repository.js';
import { fileData, workspaceData } from './services/workspace-data.js';
import { workspaceExport } from './services/workspace-export.js';
import { workspaceRepository } from './services/workspace-repository.js';
import { addMember } from './tools/add-member.js';
import { createProject } from './tools/create-project.js';
import { createWorkspace } from './tools/create-workspace.js';
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
  migrations: [createWorkspaces, queueTimes, fileWork, packContents],
  services: [
    memberships,
    workspaceOwner,
    projectOwner,
    indexStatuses,
    projectDirectory,
    fileWorkService,
    fileChanges,
    workspaceData,
    fileData,
    workspaceExport,
    workspaceRepository,
    memberRepository,
    projectRepository,
    fileRepository,
    overview,
  ],
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
      description: 'See and change the members of a workspace and their roles.',
      tools: [listMembers, getMember, addMember, updateMember, removeMember],
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
});
