import { accounts } from '../api/deployment.js';
import { useTool } from '../api/use-tool.js';
import { useToolNames } from './use-pages.js';
import { useWorkspace } from './workspace.js';

/** The name of a member of the workspace by the id of the account; undefined for others, and for a single owner. */
export function usePeople(): (userId: string | null) => string | undefined {
  const { workspace } = useWorkspace();
  const tools = useToolNames();
  const { data } = useTool(
    'members_list',
    { workspace_id: workspace.id, per_page: 100 },
    { enabled: accounts && tools.has('members_list') },
  );
  return (userId) => {
    const member = data?.items.find(({ user_id }) => user_id !== null && user_id === userId);
    return member && (member.name || member.email);
  };
}
