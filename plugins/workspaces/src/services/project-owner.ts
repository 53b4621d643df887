import { Database, ResourceOwners, contribute } from '@service-mcp/core';

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
