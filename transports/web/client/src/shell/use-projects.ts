import { useMemo } from 'react';
import { useEvery } from '../api/use-tool.js';
import { byName } from '../ui/format.js';
import { useWorkspace } from './workspace.js';

/** The projects of the workspace by name, and the name of one by its id: the id itself where it is not among them. */
export function useProjects({ enabled = true } = {}) {
  const { workspace } = useWorkspace();
  const query = useEvery('projects_list', { workspace_id: workspace.id }, { enabled });
  const items = useMemo(() => (query.data?.items ?? []).toSorted(byName), [query.data]);
  const nameOf = (id: string) => items.find((project) => project.id === id)?.name ?? id;
  return { query, items, nameOf };
}
