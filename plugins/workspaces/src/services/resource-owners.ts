import { ResourceOwners, contribute, rowOwner } from '@service-mcp/core';

/**
 * A workspace as a resource: a tool that changes or deletes one is told which by its id. With `in: 'workspace'`
 * the caller's only workspace would be filled in, and a call without arguments would delete it.
 */
export const workspaceOwner = contribute(ResourceOwners, {
  uses: {},
  create: () => ({
    resource: 'workspace',
    listedBy: 'workspaces_list',
    createdBy: 'workspaces_create',
    workspaceOf: (id) => Promise.resolve(id), // whether it exists and is visible is for the memberships to say
  }),
});

/** Says which workspace a project is in, so that calls on a project are admitted there. */
export const projectOwner = rowOwner({ resource: 'project', table: 'projects', listedBy: 'projects_list' });
