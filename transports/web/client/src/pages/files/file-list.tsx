import { useTool } from '../../api/use-tool.js';
import { counted } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import type { Address } from '../../ui/use-address.js';
import { FileRow, type File } from './file-row.js';

const PAGE_SIZE = 100;
const NONE: Readonly<Record<File['indexing_status'], string>> = {
  failed: 'No file has failed',
  pending: 'No file is waiting',
  indexed: 'No file is indexed yet',
};

/** The files of a project in one state, by path, page by page. */
export function FileList({
  projectId,
  status,
  get,
  set,
}: { readonly projectId: string; readonly status: File['indexing_status'] } & Address) {
  const page = Number(get('page')) || 1;
  const files = useTool(
    'files_list',
    { project_id: projectId, page, per_page: PAGE_SIZE, indexing_status: status },
    { keep: true },
  );
  return (
    <section className="card" aria-label="List of files">
      <Loaded query={files} lines={12}>
        {({ items, total }) => (
          <>
            {items.length === 0 && total > 0 && <NothingLeft onFirst={() => set({ page: '' })} />}
            {total === 0 && (
              <Empty title={NONE[status]}>
                <p>Choose “All files” to see the folders.</p>
              </Empty>
            )}
            <ul className="tree">
              {items.map((file) => (
                <li key={file.path}>
                  <FileRow
                    file={file}
                    projectId={projectId}
                    withFolder
                    isOpened={get('file') === file.path}
                    onOpen={(path) => set({ file: path }, 'push')}
                  />
                </li>
              ))}
            </ul>
            <Pager
              page={page}
              pages={Math.ceil(total / PAGE_SIZE)}
              about={counted(total, 'file')}
              onPage={(next) => set({ page: String(next) })}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
