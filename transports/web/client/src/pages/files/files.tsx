import { Page } from '../../shell/page.js';
import { FilePanel } from '../../ui/file-panel.js';
import { IndexState } from '../../ui/index-state.js';
import { NoProject, ProjectSelect, useProject } from '../../ui/project-choice.js';
import { Select } from '../../ui/select.js';
import { Loaded } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { FileField } from './file-field.js';
import { FileList } from './file-list.js';
import { FileTree } from './file-tree.js';
import { RetryFailed } from './retry-failed.js';

const STATES = [
  { value: 'indexed', label: 'Indexed' },
  { value: 'pending', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
] as const;

/** The files of a project by folder or by state, failed ones with their reason; a file opens beside the list. */
export function Files() {
  const [get, set] = useAddress();
  const { query, projects, project } = useProject(get, set);
  const state = STATES.find(({ value }) => value === get('state'));
  const file = get('file');
  return (
    <Page
      title="Files"
      wide
      about="Indexed files, folder by folder."
      actions={
        projects.length > 0 && (
          <div className="filters">
            {project && <IndexState state={project.indexing_status} />}
            <ProjectSelect
              project={project}
              projects={projects}
              onChange={(id) => set({ project: id, open: '', page: '', file: '' }, 'push')}
            />
            <Select
              label="State"
              all="All files"
              value={state?.value ?? ''}
              options={STATES}
              onChange={(next) => set({ state: next, page: '' }, 'push')}
            />
          </div>
        )
      }
    >
      <Loaded query={query} lines={8}>
        {() =>
          project === undefined ? (
            <NoProject isOther={projects.length > 0} />
          ) : (
            <>
              <FileField
                key={project.id}
                projectId={project.id}
                onChoose={(path) => set({ file: path }, 'push')}
              />
              <RetryFailed
                key={`failed:${project.id}`}
                projectId={project.id}
                {...(state?.value !== 'failed' && {
                  onShow: () => set({ state: 'failed', page: '' }, 'push'),
                })}
              />
              <div className={file === '' ? 'beside' : 'beside open'}>
                {state ? (
                  <FileList
                    key={project.id}
                    projectId={project.id}
                    status={state.value}
                    get={get}
                    set={set}
                  />
                ) : (
                  <FileTree projectId={project.id} get={get} set={set} />
                )}
                {file !== '' && (
                  <FilePanel projectId={project.id} path={file} onClose={() => set({ file: '' })} />
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
