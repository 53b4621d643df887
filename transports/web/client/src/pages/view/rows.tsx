import { useMemo, useRef, useState } from 'react';
import type { DescribedTool, ToolTable } from '../../api/tool-table.js';
import { useDescribed } from '../../api/use-described.js';
import { fieldsOf } from '../../form/fields.js';
import { toArguments } from '../../form/values.js';
import { counted, textOf, words } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { useKeptFocus } from '../../ui/use-kept-focus.js';
import { ActionDialog, type OpenAction } from './action-dialog.js';
import { Filter } from './filter.js';
import { RowActions } from './row-actions.js';
import { useNames } from './use-names.js';
import { Shown } from './value.js';
import type { View } from './view.js';

const PAGE_SIZE = 25;
/** Arguments of a list that are not filters. */
const NOT_FILTERS: ReadonlySet<string> = new Set(['page', 'per_page', 'workspace_id', 'project_id']);

export type Row = Readonly<Record<string, unknown>>;

export function Rows({
  view,
  list,
  tools,
  chosenFor,
  onDone,
}: {
  readonly view: View;
  readonly list: DescribedTool;
  readonly tools: ToolTable;
  readonly chosenFor: (tool: DescribedTool) => Readonly<Record<string, string>>;
  readonly onDone: (tool: DescribedTool, result: unknown) => void;
}) {
  const [get, set] = useAddress();
  const [opened, open] = useState<OpenAction>();
  const page = Number(get('page')) || 1;
  const filters = useMemo(() => fieldsOf(list.input, NOT_FILTERS), [list]);
  const chosen = Object.fromEntries(filters.map(({ name }) => [name, get(name)]));
  const isNarrowed = Object.values(chosen).some((value) => value !== '');
  const { input } = toArguments(filters, chosen);
  const missing = filters.filter(({ name, required }) => required && input[name] === undefined);
  const query = useDescribed(
    list,
    { ...input, ...chosenFor(list), page, per_page: PAGE_SIZE },
    { polled: view.refresh_on.length === 0, enabled: missing.length === 0 },
  );
  const box = useRef<HTMLElement>(null);
  const focus = useKeptFocus(box, 'tbody tr');
  const columns = list.output.properties?.['items']?.items?.properties ?? {};
  const nameOf = useNames(view.columns);
  const hasActions = view.remove !== undefined || view.actions.length > 0;
  return (
    <>
      {filters.length > 0 && (
        <Filter fields={filters} chosen={chosen} onChoose={(values) => set({ ...values, page: '' })} />
      )}
      <section className="card" aria-label={view.title} ref={box} tabIndex={-1} {...focus}>
        {missing.length > 0 ? (
          <Empty title="Choose what to list">
            <p>Fill in above: {missing.map(({ label }) => label).join(', ')}.</p>
          </Empty>
        ) : (
          <Loaded query={query} lines={8}>
            {(data) => {
              const { items, total } = data as { items: readonly Row[]; total: number }; // boot lets no other list in
              if (items.length === 0 && total > 0) return <NothingLeft onFirst={() => set({ page: '' })} />;
              if (items.length === 0)
                return (
                  <Empty title={isNarrowed ? 'Nothing matches' : 'There is nothing here yet'}>
                    <p>
                      {isNarrowed
                        ? 'Change or clear the filter above.'
                        : view.create === undefined
                          ? 'It updates when there is something to show.'
                          : 'What you create appears here.'}
                    </p>
                  </Empty>
                );
              return (
                <>
                  <table className="view">
                    <thead>
                      <tr>
                        {view.columns.map((column) => (
                          <th key={column} scope="col">
                            {words(column.replace(/_(?:id|at)$/, ''))}
                          </th>
                        ))}
                        {hasActions && (
                          <th>
                            <span className="visually-hidden">Actions</span>
                          </th>
                        )}
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((row, index) => (
                        <tr key={textOf(row['id']) || index}>
                          {view.columns.map((column) => (
                            <td key={column} data-label={words(column.replace(/_(?:id|at)$/, ''))}>
                              <Shown
                                column={column}
                                value={row[column]}
                                schema={columns[column] ?? {}}
                                nameOf={nameOf}
                              />
                            </td>
                          ))}
                          {hasActions && (
                            <td className="row-actions">
                              <RowActions
                                view={view}
                                row={row}
                                tools={tools}
                                chosenFor={chosenFor}
                                onOpen={open}
                                onDone={onDone}
                              />
                            </td>
                          )}
                        </tr>
                      ))}
                    </tbody>
                  </table>
                  <Pager
                    page={page}
                    pages={Math.ceil(total / PAGE_SIZE)}
                    about={counted(total, 'row')}
                    onPage={(next) => set({ page: String(next) })}
                  />
                </>
              );
            }}
          </Loaded>
        )}
      </section>
      {opened && <ActionDialog action={opened} onDone={onDone} onClose={() => open(undefined)} />}
    </>
  );
}
