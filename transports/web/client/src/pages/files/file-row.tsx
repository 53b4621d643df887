import { useQueryClient } from '@tanstack/react-query';
import type { Output } from '../../api/call.js';
import { refresh, useAction } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { bytes, counted, languageName } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PathName } from '../../ui/path-name.js';
import { Failed } from '../../ui/states.js';

export type File = Output<'files_list'>['items'][number];

/** A file of a list: what it is, or why it could not be indexed, with a way to try it again. */
export function FileRow({
  file: { path, language, lines, bytes: size, indexing_status, error },
  projectId,
  isOpened,
  onOpen,
  withFolder = false,
}: {
  readonly file: File;
  readonly projectId: string;
  readonly isOpened: boolean;
  readonly onOpen: (path: string) => void;
  /** True: the path is whole, since the row does not stand in its folder. */
  readonly withFolder?: boolean;
}) {
  const client = useQueryClient();
  const retry = useAction('projects_retry_index');
  const mayWrite = useMayWrite();
  return (
    <div className={isOpened ? 'file opened' : 'file'}>
      <Icon name="file" />
      <div className="grow">
        <button
          type="button"
          className="file-name"
          data-row
          aria-current={isOpened ? 'true' : undefined}
          onClick={() => onOpen(path)}
        >
          {withFolder ? <PathName path={path} /> : path.slice(path.lastIndexOf('/') + 1)}
        </button>
        {error !== null && <p className="file-error">{error}</p>}
        {retry.error && <Failed error={retry.error} />}
      </div>
      {indexing_status === 'pending' && <span className="badge busy">Waiting</span>}
      {indexing_status === 'failed' && mayWrite('projects_retry_index', 'member') && (
        <button
          type="button"
          className="button small"
          disabled={retry.isPending}
          onClick={() =>
            retry.run({ project_id: projectId, paths: [path] }, () => void refresh(client, ['files_']))
          }
        >
          <Icon name="again" /> Try again
        </button>
      )}
      <span className="muted time optional">{language === null ? '' : languageName(language)}</span>
      <span className="muted time number optional">{counted(lines, 'line')}</span>
      <span className="muted time number">{bytes(size)}</span>
    </div>
  );
}
