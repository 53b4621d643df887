import { useState } from 'react';
import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { count, counted } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { IngestCommand } from '../../ui/ingest-command.js';
import { Empty, Loaded } from '../../ui/states.js';
import { FileRow } from './file-row.js';

const PAGE_SIZE = 100;

type Listed = NonNullable<Output<'files_list'>['folders']>[number];

/** What the rows of a tree share. */
export interface Tree {
  readonly projectId: string;
  /** The folders that are open, each ending with a slash. */
  readonly open: ReadonlySet<string>;
  readonly onToggle: (folder: string) => void;
  readonly file: string;
  readonly onFile: (path: string) => void;
}

/** What lies right in a folder, which ends with a slash (the empty one is the project): its folders, then its files. */
export function Folder({ path, tree }: { readonly path: string; readonly tree: Tree }) {
  const [pages, setPages] = useState(1);
  return (
    <>
      {Array.from({ length: pages }, (_, index) => (
        <FolderPage
          key={index}
          path={path}
          tree={tree}
          page={index + 1}
          {...(index + 1 === pages && { onMore: () => setPages(pages + 1) })}
        />
      ))}
    </>
  );
}

function FolderPage({
  path,
  tree,
  page,
  onMore,
}: {
  readonly path: string;
  readonly tree: Tree;
  readonly page: number;
  readonly onMore?: () => void;
}) {
  const { projectId, file, onFile } = tree;
  const listed = useTool('files_list', {
    project_id: projectId,
    by_folder: true,
    page,
    per_page: PAGE_SIZE,
    ...(path !== '' && { path_prefix: path }),
  });
  return (
    <Loaded query={listed} lines={3}>
      {({ items, total, has_next, folders = [] }) =>
        total === 0 && folders.length === 0 ? (
          <NoFiles path={path} projectId={projectId} />
        ) : (
          <ul className="tree">
            {page === 1 &&
              folders.map((folder) => <FolderRow key={folder.path} folder={folder} tree={tree} />)}
            {items.map((each) => (
              <li key={each.path}>
                <FileRow file={each} projectId={projectId} isOpened={file === each.path} onOpen={onFile} />
              </li>
            ))}
            {has_next && onMore && (
              <li>
                <button type="button" className="button small more" data-row onClick={onMore}>
                  Show more of {counted(total, 'file')}
                </button>
              </li>
            )}
          </ul>
        )
      }
    </Loaded>
  );
}

function NoFiles({ path, projectId }: { readonly path: string; readonly projectId: string }) {
  if (path !== '')
    return (
      <Empty title="There is no file here">
        <p>The folder was deleted, or it never existed.</p>
      </Empty>
    );
  return (
    <Empty title="This project has no files yet">
      <p>Add its folder:</p>
      <IngestCommand projectId={projectId} />
    </Empty>
  );
}

function FolderRow({
  folder: { path, files, pending, failed },
  tree,
}: {
  readonly folder: Listed;
  readonly tree: Tree;
}) {
  const isOpen = tree.open.has(path);
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1);
  return (
    <li>
      <button
        type="button"
        className="folder"
        data-row
        aria-expanded={isOpen}
        onClick={() => tree.onToggle(path)}
      >
        <Icon name="right" />
        <Icon name="files" />
        <span className="grow">{name}</span>
        {failed > 0 && <span className="badge bad">{count(failed)} failed</span>}
        {pending > 0 && <span className="badge busy">{count(pending)} waiting</span>}
        <span className="muted time number">{counted(files, 'file')}</span>
      </button>
      {isOpen && <Folder path={path} tree={tree} />}
    </li>
  );
}
