import type { Orientation, OrientedWorkspace } from './schemas.js';

/** Where a model is, and what to call next. */
export function orientationText({ workspaces, total, current }: Orientation): string {
  if (workspaces.length === 0)
    return 'You may use no workspace yet. workspaces_create makes one; then ingest a folder.';
  const more = total > workspaces.length ? [`${total - workspaces.length} more: workspaces_list.`] : [];
  const next = current
    ? [`Pass on workspace_id ${current.workspace_id} and project_id ${current.project_id}.`]
    : ['Pass on the workspace_id of the one you work in.'];
  return [
    ...workspaces.map(described),
    ...more,
    ...next,
    'Call context with each question; graph_dependencies and search_pattern for exact places; memory_create_event to store what was learned.',
  ].join('\n');
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
  const state = index.state === 'ready' ? '' : `, index ${index.state} (${index.pending} pending)`;
  const list = (title: string, items: ReadonlyArray<{ id: string; title: string }>) =>
    items.length === 0 ? [] : [`  ${title}: ${items.map((each) => `${each.title} [${each.id}]`).join('; ')}`];
  return [
    `Workspace ${name}, workspace_id ${id} (${role}${state})`,
    ...projects.map((project) => `  Project ${project.name}, project_id ${project.id}`),
    ...list('Decisions', recent_decisions),
    ...list('Open tasks', open_tasks),
  ].join('\n');
}
