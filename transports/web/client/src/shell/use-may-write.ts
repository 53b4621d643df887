import { useCallback } from 'react';
import type { ToolName } from '../api/call.js';
import { useToolNames } from './use-pages.js';
import { hasRole, useWorkspace, type Role } from './workspace.js';

/**
 * Says of a tool that changes something whether to offer it: the deployment serves it (a read-only one serves none that
 * writes) and the person has the role in the workspace. False until the deployment is known.
 */
export function useMayWrite(): (tool: ToolName, least?: Role) => boolean {
  const { workspace } = useWorkspace();
  const served = useToolNames();
  return useCallback(
    (tool, least = 'member') => served.has(tool) && hasRole(workspace, least),
    [served, workspace],
  );
}
