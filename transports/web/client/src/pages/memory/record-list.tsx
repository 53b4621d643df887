import { useRef, type FormEvent } from 'react';
import { useAction } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { count, counted } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Failed } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { useFieldText } from '../../ui/use-field-text.js';
import { useKeptFocus } from '../../ui/use-kept-focus.js';
import { FilterBar } from './filter-bar.js';
import type { Kind } from './kinds.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { RecordRows } from './record-rows.js';
import type { RowPage } from './rows.js';
import { Records, type Filters } from './sources.js';
import { useSelection, type Selection } from './use-selection.js';

const NO_FILTERS = {
  q: '',
  kind: '',
  type: '',
  tag: '',
  project: '',
  status: '',
  from: '',
  to: '',
  page: '',
};
const isKind = (value: string): value is Kind => value === 'event' || value === 'node';

/** Everything in memory: searched or filtered, page by page; what is chosen can be deleted at once. */
export function RecordList({ onRemember }: { readonly onRemember: () => void }) {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const selection = useSelection();
  const canWrite = useMayWrite()('memory_delete_many');
  const box = useRef<HTMLElement>(null);
  const focus = useKeptFocus(box, '.selection-bar, .records > li', 'label input, .record-open');
  const kind = get('kind');
  const filters: Filters = {
    workspaceId: workspace.id,
    query: get('q'),
    kind: isKind(kind) ? kind : undefined,
    type: get('type'),
    tag: get('tag'),
    project: get('project'),
    status: get('status'),
    from: get('from'),
    to: get('to'),
    page: Number(get('page')) || 1,
  };
  const isBackwards =
    filters.query === '' && filters.from !== '' && filters.to !== '' && filters.from > filters.to;
  const isFiltered = Object.keys(NO_FILTERS).some((name) => get(name) !== '');
  return (
    <>
      <SearchForm query={filters.query} onSearch={(q) => set({ q, page: '' })} />
      <FilterBar />
      <section className="card" aria-label="Memories" ref={box} tabIndex={-1} {...focus}>
        {isBackwards ? (
          <Empty title="From is after To">
            <p>There is no day between these dates: change or clear one.</p>
            <button type="button" className="button" onClick={() => set(NO_FILTERS)}>
              Show everything
            </button>
          </Empty>
        ) : (
          <Records filters={filters}>
            {(page) => (
              <>
                {page.warnings.map((warning) => (
                  <p key={warning} className="notice">
                    {warning}
                  </p>
                ))}
                {page.rows.length === 0 ? (
                  page.total > 0 ? (
                    <NothingLeft onFirst={() => set({ page: '' })} />
                  ) : isFiltered ? (
                    <Empty title="Nothing matches">
                      <p>Use other words, or remove a filter.</p>
                      <button type="button" className="button" onClick={() => set(NO_FILTERS)}>
                        Show everything
                      </button>
                    </Empty>
                  ) : (
                    <NothingYet {...(canWrite && { onRemember })} />
                  )
                ) : (
                  <>
                    {canWrite && <SelectionBar page={page} selection={selection} />}
                    <RecordRows rows={page.rows} {...(canWrite && { selection })} />
                    <Pager
                      page={filters.page}
                      pages={page.pages}
                      about={
                        filters.query === ''
                          ? counted(page.total, 'record')
                          : `${page.total} found, the best first`
                      }
                      onPage={(next) => set({ page: String(next) })}
                    />
                  </>
                )}
              </>
            )}
          </Records>
        )}
      </section>
      <p className="keys muted optional">
        <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>Esc</kbd> closes
        {canWrite && (
          <>
            , <kbd>x</kbd> chooses
          </>
        )}
      </p>
    </>
  );
}

function SelectionBar({
  page: { rows },
  selection,
}: {
  readonly page: RowPage;
  readonly selection: Selection;
}) {
  const { workspace } = useWorkspace();
  const note = useNote();
  const { opened, close } = useOpenRecord();
  const remove = useAction('memory_delete_many');
  const { ids, setAll, clear } = selection;
  const onPage = rows.map(({ id }) => id);
  const unseen = [...ids].filter((id) => !onPage.includes(id)).length;
  const removeAll = () =>
    remove.run(
      { workspace_id: workspace.id, ids: [...ids] },
      ({ change_id, deleted }) => {
        if (opened && ids.has(opened.id)) close();
        clear();
        note({ text: `Deleted ${counted(deleted, 'record')}.`, changeId: change_id });
      },
      ({ status, message }) => {
        // Its message names the one that is there no more: the others can be deleted.
        if (status === 404)
          setAll(
            [...ids].filter((id) => message.includes(id)),
            false,
          );
      },
    );
  return (
    <>
      <div className="selection-bar">
        <label>
          <input
            type="checkbox"
            checked={onPage.every((id) => ids.has(id))}
            onChange={({ target }) => setAll(onPage, target.checked)}
          />{' '}
          {ids.size === 0 ? 'Choose all on this page' : `${counted(ids.size, 'record')} chosen`}
          {unseen > 0 && `, ${count(unseen)} of them not on this page`}
        </label>
        {ids.size > 0 && (
          <>
            <button
              type="button"
              className="button small danger"
              disabled={remove.isPending}
              onClick={removeAll}
            >
              {remove.isPending ? 'Deleting…' : 'Delete'}
            </button>
            <button type="button" className="button quiet small" onClick={clear}>
              Choose none
            </button>
          </>
        )}
      </div>
      {remove.error && <Failed error={remove.error} />}
    </>
  );
}

/** An empty memory, and how to fill it. */
export function NothingYet({ onRemember }: { readonly onRemember?: () => void }) {
  return (
    <Empty title="Nothing is stored in memory yet">
      <p>
        Connected clients store decisions, notes and lessons here. Ask one: “Remember that we release on
        Tuesdays.” Or write the first one yourself.
      </p>
      {onRemember && (
        <button type="button" className="button primary" onClick={onRemember}>
          <Icon name="plus" /> Remember something
        </button>
      )}
    </Empty>
  );
}

function SearchForm({
  query,
  onSearch,
}: {
  readonly query: string;
  readonly onSearch: (query: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useFieldText(query);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form className="search-form" role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        ref={field}
        aria-label="Search memory"
        placeholder="why did we choose this database"
        maxLength={4000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {query !== '' && (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            field.current?.focus(); // the button goes
            onSearch('');
          }}
        >
          Clear
        </button>
      )}
      <button type="submit" className="button">
        Search
      </button>
    </form>
  );
}
