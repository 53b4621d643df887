import { accounts } from '../api/deployment.js';
import { useEvery } from '../api/use-tool.js';
import { useToolNames } from './use-pages.js';
import { useWorkspace } from './workspace.js';

/** The name of a member of the workspace by the id of the account; undefined for others, and for a single owner. */
export function usePeople(): (userId: string | null) => string | undefined {
  const { workspace } = useWorkspace();
  const tools = useToolNames();
  const { data } = useEvery(
    'members_list',
    { workspace_id: workspace.id },
    { enabled: accounts && tools.has('members_list') },
  );
  return (userId) => {
    const member = data?.items.find(({ user_id }) => user_id !== null && user_id === userId);
    return member && (member.name || member.email);
  };
}
