import type { ToolInfo } from '../catalog.js';
import type { Plugin } from '../plugin.js';
import { roleInWorkspace } from '../tool.js';
import type { ServedView } from '../view.js';

/** The views of a deployment, in the order of its plugins. */
export function servedViews(plugins: readonly Plugin[], allowed: readonly ToolInfo[]): ServedView[] {
  const tools = new Map(allowed.map((tool) => [tool.name, tool]));
  return plugins.flatMap(({ id: plugin, views }) =>
    views.flatMap(({ create, remove, actions = [], refresh_on = [], ...view }) => {
      const list = tools.get(view.list);
      if (!list) return [];
      const role = roleInWorkspace(list);
      return {
        plugin,
        ...view,
        ...(role && { role }),
        ...(isForAdministrators(list) && { administrators: true }),
        ...(create !== undefined && tools.has(create) && { create }),
        ...(remove && tools.has(remove.tool) && { remove }),
        actions: actions.filter(({ tool }) => tools.has(tool)),
        refresh_on,
      };
    }),
  );
}

/** A tool of the administration that takes a workspace is for the admins of that one too. */
function isForAdministrators({ access, inputSchema }: ToolInfo): boolean {
  return access.in === 'administration' && !Object.hasOwn(inputSchema['properties'] ?? {}, 'workspace_id');
}
