import { useState } from 'react';
import { useTool } from '../../api/use-tool.js';
import { useWorkspace } from '../../shell/workspace.js';
import { FindField, MAX_SUGGESTIONS } from '../../ui/find-field.js';
import { words } from '../../ui/format.js';

/** Knowledge as the search found it. */
export interface FoundNode {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly content: string;
}

/** Finds knowledge that holds as one types what it says. */
export function NodeField({
  label,
  except,
  onChoose,
}: {
  readonly label: string;
  /** Id of the one that is not offered. */
  readonly except: string;
  readonly onChoose: (node: FoundNode) => void;
}) {
  const { workspace } = useWorkspace();
  const [query, setQuery] = useState('');
  const { data, error } = useTool(
    'memory_search',
    {
      workspace_id: workspace.id,
      query,
      kinds: ['node'],
      limit: MAX_SUGGESTIONS + 1,
      content_max_chars: 100,
    },
    { enabled: query !== '' },
  );
  const items = data?.results.filter(({ id }) => id !== except).slice(0, MAX_SUGGESTIONS);
  return (
    <FindField
      autoFocus
      label={label}
      listLabel="Knowledge"
      none="No knowledge that holds says so"
      query={query}
      onQuery={setQuery}
      items={items}
      total={items?.length ?? 0}
      error={error}
      onChoose={onChoose}
    >
      {({ title, type, content }) => (
        <>
          <b>{title}</b>
          <span className="badge">{words(type)}</span>
          <span className="muted clamp">{content}</span>
        </>
      )}
    </FindField>
  );
}
