import { Database, ResourceOwners, contribute, idsStartingWith, rowOwner } from '@service-mcp/core';

/**
 * A workspace as a resource: a tool that changes or deletes one requires its id. With `in: 'workspace'` the caller's
 * only workspace would be the default, and a call without arguments would delete it.
 */
export const workspaceOwner = contribute(ResourceOwners, {
  uses: { database: Database },
  create: ({ database: { sql } }) => ({
    resource: 'workspace',
    listedBy: 'workspaces_list',
    createdBy: 'workspaces_create',
    workspaceOf: (id) => Promise.resolve(id), // memberships decide whether it exists and is visible
    startingWith: (start, workspaceIds, limit) =>
      idsStartingWith(sql('workspaces').whereIn('id', workspaceIds), 'name', { start, limit }),
  }),
});

/** The workspace of a project, in which calls on it are admitted. */
export const projectOwner = rowOwner({
  resource: 'project',
  table: 'projects',
  listedBy: 'projects_list',
  named: 'name',
});
