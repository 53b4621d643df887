import { useTool } from '../../api/use-tool.js';
import { useOpenRecord } from './open-record.js';

/** Opens other knowledge, by its title; `label` until that is known, and where it cannot be read. */
export function NodeLink({ id, label }: { readonly id: string; readonly label: string }) {
  const { open } = useOpenRecord();
  const { data } = useTool('memory_get_node', { node_id: id });
  return (
    <button type="button" className="link" onClick={() => open('node', id)}>
      {data?.title ?? label}
    </button>
  );
}
