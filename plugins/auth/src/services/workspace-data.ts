import { workspaceRows } from '@service-mcp/core';

/** Keys that are confined to a workspace and invitations to it end with it. The audit log stays. */
export const workspaceData = workspaceRows([{ table: 'api_keys' }, { table: 'invitations' }]);
