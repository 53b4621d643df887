import { useEffect } from 'react';
import { useTool } from '../api/use-tool.js';
import { Code } from './code.js';
import { CopyButton } from './copy-button.js';
import { Icon } from './icon.js';
import { focusOpened, focusPanel } from './panel-focus.js';
import { PathName } from './path-name.js';
import { Loaded } from './states.js';
import { useEscape } from './use-escape.js';

const AROUND_LINES = 200;

/** A file beside a list: the lines around `hit`, or its beginning. Esc closes it, unless it stays for as long as the page. */
export function FilePanel({
  projectId,
  path,
  hit,
  column,
  onClose,
}: {
  readonly projectId: string;
  readonly path: string;
  readonly hit?: readonly [from: number, to: number];
  /** In the first line of `hit`, from 1 on: where to scroll in a long line. */
  readonly column?: number;
  readonly onClose?: () => void;
}) {
  const [from, to] = hit ?? [1, 1];
  const file = useTool('files_read', {
    project_id: projectId,
    path,
    start_line: Math.max(1, from - AROUND_LINES),
    end_line: to + 2 * AROUND_LINES,
  });
  const close =
    onClose &&
    (() => {
      focusOpened();
      onClose();
    });
  useEscape(close);
  const opened = close && `${path}:${from}`;
  useEffect(() => {
    // On a page that is opened with it, nothing has the focus yet.
    if (opened !== undefined && document.activeElement !== document.body) focusPanel();
  }, [opened]);
  const isClosable = close !== undefined;
  useEffect(() => {
    if (isClosable) return focusOpened; // also where the button of the browser for Back closes it
  }, [isClosable]);
  return (
    <aside className="card file-panel" aria-label="File" tabIndex={-1}>
      <header className="card-head">
        <PathName path={path} />
        <CopyButton text={path} label="Copy path" />
        {close && (
          <button
            type="button"
            className="button quiet small icon-only"
            aria-label="Close the file"
            onClick={close}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      <Loaded query={file} lines={12}>
        {({ content, language, start_line, end_line, total_lines }) => (
          <>
            <Code
              text={content}
              language={language}
              firstLine={start_line}
              label={path}
              {...(hit && { hit })}
              {...(column !== undefined && { column })}
            />
            {(start_line > 1 || end_line < total_lines) && (
              <p className="card-foot muted">
                Lines {start_line} to {end_line} of {total_lines}
              </p>
            )}
          </>
        )}
      </Loaded>
    </aside>
  );
}
