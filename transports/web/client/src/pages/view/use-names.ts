import { useMemo } from 'react';
import { useEvery } from '../../api/use-tool.js';
import { useWorkspace } from '../../shell/workspace.js';

/** Names of people, workspaces and projects by their ids, as far as the workspace knows them. */
export function useNames(columns: readonly string[]): (id: string) => string | undefined {
  const { workspace, workspaces } = useWorkspace();
  const all = { workspace_id: workspace.id };
  const members = useEvery('members_list', all, {
    enabled: columns.some((column) => /(?:user|account|member)_id$|_by$/.test(column)),
  });
  const projects = useEvery('projects_list', all, { enabled: columns.includes('project_id') });
  const names = useMemo(
    () =>
      new Map([
        ...workspaces.map(({ id, name }) => [id, name] as const),
        ...(projects.data?.items ?? []).map(({ id, name }) => [id, name] as const),
        ...(members.data?.items ?? []).map(
          ({ user_id, name, email }) => [user_id ?? '', name || email] as const,
        ),
      ]),
    [workspaces, projects.data, members.data],
  );
  return (id) => names.get(id) || undefined;
}
