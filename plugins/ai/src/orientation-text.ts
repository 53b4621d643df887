import { oneLine } from '@service-mcp/core';
import type { Orientation, OrientedWorkspace } from './schemas.js';

const CREATE = 'Make one with workspaces_create; then store memory, or ingest a folder.';
/** To a caller without that tool. */
const ASK =
  'Ask the person you work for to run service-mcp ingest DIR, which makes one, or, for memory alone, service-mcp call workspaces_create --name NAME.';

const CLOSE = 'an event of the same title with the tag done closes one';

/** Where a model is, and what to call next. */
export function orientationText(
  { workspaces, total, current, guide }: Orientation,
  { repository }: { readonly repository?: string },
): string {
  if (workspaces.length === 0) return `You have no workspace yet. ${guide.length > 0 ? CREATE : ASK}`;
  const more = total > workspaces.length ? [`${total - workspaces.length} more: workspaces_list.`] : [];
  const unknown =
    repository !== undefined && (current?.project_id ?? null) === null
      ? [`No project here is of the repository ${JSON.stringify(repository)}.`]
      : [];
  const hasProjects = workspaces.some(({ projects }) => projects.length > 0);
  return [
    ...workspaces.map(described),
    ...more,
    ...unknown,
    idsOf(current, hasProjects),
    ...(guide.length > 0 ? ['Call next:', ...guide.map(({ tool, use }) => `  ${tool}: ${use}`)] : []),
  ].join('\n');
}

function idsOf(current: Orientation['current'], hasProjects: boolean): string {
  if (!current) return 'Pass on the workspace_id of the one you work in.';
  const { workspace_id, project_id } = current;
  const choose = hasProjects ? ' and the project_id you work in' : '';
  const project = project_id === null ? choose : ` and project_id ${project_id}`;
  return `Pass on workspace_id ${workspace_id}${project}.`;
}

function described({
  id,
  name,
  role,
  index,
  projects,
  recent_decisions,
  open_tasks,
}: OrientedWorkspace): string {
  const pending = index.pending > 0 ? ` (${index.pending} pending)` : '';
  const list = (title: string, items: ReadonlyArray<{ id: string; title: string }>) =>
    items.length === 0
      ? []
      : [`  ${title}: ${items.map((each) => `${oneLine(each.title)} [${each.id}]`).join('; ')}`];
  return [
    `Workspace ${oneLine(name)}, workspace_id ${id} (${role}, index ${index.state}${pending})`,
    ...projects.map((project) => `  Project ${oneLine(project.name)}, project_id ${project.id}`),
    ...list('Decisions', recent_decisions),
    ...list(`Open tasks (${CLOSE})`, open_tasks),
  ].join('\n');
}
