import { useEffect } from 'react';
import { readStored, writeStored } from '../api/browser-storage.js';
import { useProjects } from '../shell/use-projects.js';
import { useWorkspace } from '../shell/workspace.js';
import { IngestCommand } from './ingest-command.js';
import { Select } from './select.js';
import { Empty } from './states.js';
import type { Address } from './use-address.js';

/**
 * The projects of the workspace, and the one in the address as `project`. Where the address names none, the one that this
 * tab showed last, on this page or another; else the first that has files. The address then names it: a new project may
 * come before it. Undefined where it names one that is not there: another one in its place would be taken for it.
 */
export function useProject(get: Address['get'], set: Address['set'], { enabled = true } = {}) {
  const { workspace } = useWorkspace();
  const { query, items } = useProjects({ enabled });
  const stored = `project:${workspace.id}`;
  const byId = (wanted: string | undefined) => items.find(({ id }) => id === wanted);
  const named = get('project');
  const proposed =
    byId(readStored('sessionStorage', stored)) ??
    items.find(({ file_count: files }) => files > 0) ??
    items[0];
  const project = named === '' ? proposed : byId(named);
  const id = project?.id;
  useEffect(() => {
    if (!enabled || id === undefined) return;
    writeStored('sessionStorage', stored, id);
    if (named === '') set({ project: id });
  }, [enabled, stored, named, id, set]);
  return { query, projects: items, project };
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
        <p>It was deleted, or it never existed. Choose another one above.</p>
      </Empty>
    );
  return (
    <Empty title="There is no project in this workspace yet">
      <p>A folder becomes a project when it is ingested.</p>
      <IngestCommand />
    </Empty>
  );
}
