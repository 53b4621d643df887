import { Database, ResourceOwners, contribute } from '@service-mcp/core';

/**
 * A workspace as a resource: a tool that changes or deletes one is told which by its id. With `in: 'workspace'`
 * the caller's only workspace would be filled in, and a call without arguments would delete it.
 */
export const workspaceOwner = contribute(ResourceOwners, {
  uses: {},
  create: () => ({
    resource: 'workspace',
    listedBy: 'workspaces_list',
    workspaceOf: (id) => Promise.resolve(id), // whether it exists and is visible is for the memberships to say
  }),
});

/** Says which workspace a project is in, so that calls on a project are admitted there. */
export const projectOwner = contribute(ResourceOwners, {
  uses: { database: Database },
  create: ({ database }) => ({
    resource: 'project',
    listedBy: 'projects_list',
    async workspaceOf(id) {
      const row = (await database
        .sql('projects')
        .where({ id })
        .whereNull('deleted_at')
        .first('workspace_id')) as { workspace_id: string } | undefined;
      return row?.workspace_id;
    },
  }),
});
