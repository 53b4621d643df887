import { Database, ResourceOwners, contribute } from '@service-mcp/core';

/** Says which workspace a ticket is in, so that calls on a ticket are admitted there. */
export const ticketOwner = contribute(ResourceOwners, {
  uses: { database: Database },
  create: ({ database }) => ({
    resource: 'ticket',
    listedBy: 'tickets_list',
    async workspaceOf(id) {
      const row = (await database.sql('tickets').where({ id }).first('workspace_id')) as
        | { workspace_id: string }
        | undefined;
      return row?.workspace_id;
    },
  }),
});
