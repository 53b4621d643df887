import { useEffect } from 'react';
import { useProjects } from '../shell/use-projects.js';
import { IngestCommand } from './ingest-command.js';
import { Select } from './select.js';
import { Empty } from './states.js';
import type { Address } from './use-address.js';

/**
 * The projects of the workspace, and the one in the address as `project`; the first where the address names none, which
 * then names it: a new project may come before it. Undefined where it names one that is not there: another one in its
 * place would be taken for it.
 */
export function useProject(get: Address['get'], set: Address['set'], { enabled = true } = {}) {
  const { query, items } = useProjects({ enabled });
  const named = get('project');
  const first = items[0]?.id ?? '';
  useEffect(() => {
    if (enabled && named === '' && first !== '') set({ project: first });
  }, [enabled, named, first, set]);
  return { query, projects: items, project: items.find(({ id }) => id === (named || first)) };
}

export function ProjectSelect({
  project,
  projects,
  onChange,
}: {
  readonly project: { readonly id: string } | undefined;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (id: string) => void;
}) {
  const options = projects.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Project"
      value={project?.id ?? ''}
      options={options}
      onChange={onChange}
      {...(!project && { all: 'Choose a project' })}
    />
  );
}

/** In place of a page about a project. `isOther`: the workspace has projects, but not the one in the address. */
export function NoProject({ isOther }: { readonly isOther: boolean }) {
  if (isOther)
    return (
      <Empty title="This project is not in this workspace">
        <p>It was deleted, or it never was here. Choose another one above.</p>
      </Empty>
    );
  return (
    <Empty title="There is no project in this workspace yet">
      <p>A folder becomes a project when it is ingested.</p>
      <IngestCommand />
    </Empty>
  );
}
