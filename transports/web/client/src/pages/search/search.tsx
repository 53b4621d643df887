import { useRef } from 'react';
import { Page } from '../../shell/page.js';
import { FilePanel } from '../../ui/file-panel.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { Filters } from './filters.js';
import { modeOf } from './modes.js';
import { focusFirst, placeOf, Results } from './results.js';
import { SearchForm } from './search-form.js';
import { MAX_RESULTS, PAGE_SIZE, useSearch } from './use-search.js';

/** Four modes, filters with counts, and the file beside its hits. Everything is in the address. */
export function Search() {
  const [get, set] = useAddress();
  const list = useRef<HTMLOListElement>(null);
  const found = useSearch(get);
  const query = get('q');
  const mode = modeOf(get('mode'));
  const [file, project, from, to] = [get('file'), get('in'), Number(get('from')), Number(get('to'))];
  const column = get('column');
  const limit = Number(get('limit')) || PAGE_SIZE;
  const issue = found.error?.issues.get('/query');
  const close = () => set({ file: '', in: '', from: '', to: '', column: '' });
  return (
    <Page title="Search" wide>
      <SearchForm
        mode={mode}
        problem={issue && `${issue.charAt(0).toUpperCase()}${issue.slice(1)}.`}
        onResults={() => focusFirst(list.current)}
        get={get}
        set={set}
      />
      {found.data?.facets && query !== '' && <Filters facets={found.data.facets} get={get} set={set} />}
      {query === '' && (
        <Empty title="Search code and documents">
          <p>
            Ask in your own words, or type a name as it is written. <kbd>/</kbd> leads here from every page;{' '}
            <kbd>j</kbd> and <kbd>k</kbd> move through the results, <kbd>Enter</kbd> opens one, <kbd>Esc</kbd>{' '}
            closes it.
          </p>
        </Empty>
      )}
      {query !== '' && issue === undefined && (
        <div className={file === '' ? 'beside' : 'beside open'}>
          <div className="results">
            <Loaded query={found} lines={10}>
              {(data) => (
                <Results
                  data={data}
                  mode={mode}
                  list={list}
                  isOpened={(result) =>
                    Object.entries(placeOf(result)).every(([name, value]) => get(name) === value)
                  }
                  onOpen={(result) => set(placeOf(result), 'push')}
                  {...(data.has_more &&
                    limit < MAX_RESULTS && { onMore: () => set({ limit: `${limit + PAGE_SIZE}` }) })}
                />
              )}
            </Loaded>
          </div>
          {file !== '' && project !== '' && (
            <FilePanel
              key={`${project}:${file}:${from}:${column}`}
              projectId={project}
              path={file}
              hit={[from, to]}
              column={Number(column) || 1}
              onClose={close}
            />
          )}
        </div>
      )}
    </Page>
  );
}
