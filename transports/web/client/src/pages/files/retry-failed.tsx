import { useQueryClient } from '@tanstack/react-query';
import { refresh, useAction, useTool } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { counted } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Failed } from '../../ui/states.js';

/** Says how many files of a project failed, leads to them, and tries them all again. */
export function RetryFailed({
  projectId,
  onShow,
}: {
  readonly projectId: string;
  /** Shows the failed files; left out where they are shown. */
  readonly onShow?: () => void;
}) {
  const { data } = useTool('projects_index_status', { project_id: projectId });
  const client = useQueryClient();
  const retry = useAction('projects_retry_index');
  const mayWrite = useMayWrite();
  const retryAll = () => retry.run({ project_id: projectId }, () => void refresh(client, ['files_']));
  if (retry.error) return <Failed error={retry.error} again={retryAll} />;
  if (!data || data.failed === 0) return null;
  return (
    <div className="notice bad inline">
      <Icon name="alert" />
      <p className="grow">
        {counted(data.failed, 'file')} could not be indexed. Search does not find what is in{' '}
        {data.failed === 1 ? 'it' : 'them'}.
      </p>
      {onShow && (
        <button type="button" className="button small" onClick={onShow}>
          Show
        </button>
      )}
      {mayWrite('projects_retry_index', 'member') && (
        <button type="button" className="button small" disabled={retry.isPending} onClick={retryAll}>
          <Icon name="again" /> Try all again
        </button>
      )}
    </div>
  );
}
