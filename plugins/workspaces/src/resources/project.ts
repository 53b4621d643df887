import { defineResource, type ChangeEvent } from '@service-mcp/core';
import { IndexStatuses } from '../contract.js';
import { ProjectRepository } from '../services/project-repository.js';

/** The project that an event changes. */
export const ofProject = ({ data }: ChangeEvent) => ({ project_id: String(data['project_id']) });

export const projectResource = defineResource({
  uriTemplate: 'service://projects/{project_id}',
  name: 'project',
  title: 'A project',
  description: 'The record of a project, and how far it is indexed.',
  mimeType: 'application/json',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  uses: { projects: ProjectRepository, statuses: IndexStatuses },
  // Without the events of files, which would change it with each indexed file.
  changedBy: { 'project.updated': ofProject, 'project.ready': ofProject, 'project.deleted': ofProject },
  async read({ project_id: id }, { projects, statuses }, call) {
    const project = await projects.get(id);
    const index = await statuses.read(call.admission.workspaceId, id);
    const text = JSON.stringify({ project, index });
    return [{ uri: `service://projects/${id}`, mimeType: 'application/json', text }];
  },
});
