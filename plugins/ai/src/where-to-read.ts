/** A file of a project, or a record. */
export interface Placed {
  readonly project_id?: string;
  readonly path?: string;
}

/** A line for a model: the project of the files, or that of each where there are several. */
export function whereToRead(placed: readonly Placed[]): string {
  const paths = new Map<string, Set<string>>();
  for (const { project_id: id, path } of placed)
    if (id !== undefined && path !== undefined) paths.set(id, (paths.get(id) ?? new Set()).add(path));
  if (paths.size === 0) return '';
  const named = Array.from(paths, ([id, of]) => (paths.size === 1 ? id : `${id} for ${[...of].join(', ')}`));
  return `files_read project_id ${named.join('; ')}`;
}
