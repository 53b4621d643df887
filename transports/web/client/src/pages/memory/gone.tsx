import { useQueryClient } from '@tanstack/react-query';
import { refresh } from '../../api/use-tool.js';

/** In the place of a finding whose records are there no more. */
export function Gone() {
  const client = useQueryClient();
  return (
    <div className="notice gone" role="status">
      <p className="grow">Somebody else has merged or deleted it meanwhile.</p>
      <button type="button" className="button small" onClick={() => void refresh(client, ['memory_'])}>
        Look again
      </button>
    </div>
  );
}
