import { useEvery } from '../api/use-tool.js';
import { useWorkspace } from './workspace.js';

/** The projects of the workspace, and the name of one by its id: the id itself where it is not among them. */
export function useProjects({ enabled = true } = {}) {
  const { workspace } = useWorkspace();
  const query = useEvery('projects_list', { workspace_id: workspace.id }, { enabled });
  const items = query.data?.items ?? [];
  const nameOf = (id: string) => items.find((project) => project.id === id)?.name ?? id;
  return { query, items, nameOf };
}
