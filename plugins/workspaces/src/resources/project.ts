import { defineResource, type AdmittedCall, type ChangeEvent } from '@service-mcp/core';
import { IndexStatuses, ProjectDirectory } from '../contract.js';
import { ProjectRepository } from '../services/project-repository.js';

const MAX_CANDIDATES = 100;

/** The resource that an event changes. Events of files are left out: they would change it with each indexed file. */
const changed = ({ data }: ChangeEvent) => ({ project_id: String(data['project_id']) });

export const projectResource = defineResource({
  uriTemplate: 'service://projects/{project_id}',
  name: 'project',
  title: 'A project',
  description: 'The record of a project, and how far it is indexed.',
  mimeType: 'application/json',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  uses: { projects: ProjectRepository, statuses: IndexStatuses, directory: ProjectDirectory },
  changedBy: { 'project.updated': changed, 'project.ready': changed, 'project.deleted': changed },
  async read({ project_id: id }, { projects, statuses }, call) {
    const project = await projects.get(id);
    const { indexedAt, ...index } = await statuses.read(call.admission.workspaceId, id);
    const text = JSON.stringify({ project, index: { ...index, indexed_at: indexedAt } });
    return [{ uri: `service://projects/${id}`, mimeType: 'application/json', text }];
  },
  complete: (_variable, value, { directory }, call) => projectIds(value, directory, call),
});

/** Ids of the projects that the caller may see, by the beginning of the id or of the name. */
export async function projectIds(
  value: string,
  directory: ProjectDirectory,
  { admission }: AdmittedCall,
): Promise<string[]> {
  const found = await directory.startingWith(value, admission.workspaces.keys(), MAX_CANDIDATES);
  return found.map(({ id }) => id);
}
