import { useProjects } from '../shell/use-projects.js';
import { IngestCommand } from './ingest-command.js';
import { Select } from './select.js';
import { Empty } from './states.js';
import type { Address } from './use-address.js';

/** The projects of the workspace, and the one in the address as `project`, else the first. */
export function useProject(get: Address['get']) {
  const { query, items } = useProjects();
  return { query, projects: items, project: items.find(({ id }) => id === get('project')) ?? items[0] };
}

export function ProjectSelect({
  project,
  projects,
  onChange,
}: {
  readonly project: { readonly id: string };
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (id: string) => void;
}) {
  const options = projects.map(({ id, name }) => ({ value: id, label: name }));
  return <Select label="Project" value={project.id} options={options} onChange={onChange} />;
}

export function NoProject() {
  return (
    <Empty title="There is no project in this workspace yet">
      <p>A folder becomes a project when it is ingested.</p>
      <IngestCommand />
    </Empty>
  );
}
