import { useMemo } from 'react';
import { accounts } from '../api/deployment.js';
import { useTool } from '../api/use-tool.js';
import { PAGES, type PageLink } from '../pages.js';
import { hasRole, useWorkspace } from './workspace.js';

/** The tools that this deployment has; none before it answers. */
export function useToolNames(): ReadonlySet<string> {
  const { data: deployment } = useTool('deployment_get', {});
  return useMemo(() => new Set(deployment?.toolsets.flatMap((toolset) => toolset.tools)), [deployment]);
}

/** The pages of this deployment that the person may open, those that plugins declare last. */
export function usePages(): readonly PageLink[] {
  const { data: deployment } = useTool('deployment_get', {});
  const { data: me } = useTool('auth_me', {}, { enabled: accounts });
  const { workspace } = useWorkspace();
  const tools = useToolNames();
  return useMemo(() => {
    const views = (deployment?.views ?? [])
      .filter(({ role }) => role === undefined || hasRole(workspace, role))
      .filter(({ administrators = false }) => !administrators || !accounts || me?.administrator === true)
      .map(({ plugin, id, title, about, icon = 'list' }): PageLink => ({
        path: `/views/${plugin}/${id}`,
        label: title,
        group: 'manage',
        icon,
        about: about ?? `From the plugin ${plugin}`,
      }));
    return [...PAGES.filter(({ needs }) => needs === undefined || tools.has(needs)), ...views];
  }, [deployment, tools, workspace, me]);
}
