import { useState } from 'react';
import { useTool } from '../../api/use-tool.js';
import { FindField, MAX_SUGGESTIONS } from '../../ui/find-field.js';
import { PathName } from '../../ui/path-name.js';

/** Finds a file of a project as one types a part of its path. */
export function FileField({
  projectId,
  onChoose,
}: {
  readonly projectId: string;
  readonly onChoose: (path: string) => void;
}) {
  const [query, setQuery] = useState('');
  const { data, error } = useTool(
    'files_list',
    { project_id: projectId, path_contains: query, per_page: MAX_SUGGESTIONS },
    { enabled: query !== '' },
  );
  return (
    <FindField
      label="Find a file by its name or folder"
      listLabel="Files"
      none="No path in this project has this part"
      query={query}
      onQuery={setQuery}
      items={data?.items.map(({ path }) => ({ id: path }))}
      total={data?.total ?? 0}
      error={error}
      onChoose={({ id }) => onChoose(id)}
    >
      {({ id }) => <PathName path={id} />}
    </FindField>
  );
}
