import { useToolTable, type Effect } from '../../api/tool-table.js';
import { Page } from '../../shell/page.js';
import { words } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { ToolPanel } from './tool-panel.js';
import { ToolList } from './tool-list.js';

const EFFECTS: readonly Effect[] = ['read', 'create', 'update', 'write', 'delete'];

/** Any tool of any plugin: what it takes, a call, and the same call for other programs. */
export function Explorer() {
  const [get, set] = useAddress();
  const table = useToolTable();
  return (
    <Page
      title="Explorer"
      wide
      about="Every tool of this service: try it here with your own permissions, then copy the call."
    >
      <Loaded query={table} lines={12}>
        {(tools) => {
          const all = [...tools.values()];
          const wanted = get('find').trim().toLowerCase();
          const found = all.filter(
            ({ name, title, toolset, effect }) =>
              `${name} ${title} ${toolset}`.toLowerCase().includes(wanted) &&
              (get('toolset') === '' || toolset === get('toolset')) &&
              (get('effect') === '' || effect === get('effect')),
          );
          const chosen = tools.get(get('tool'));
          return (
            <div className="explorer">
              <section className="card explorer-list" aria-label="Tools">
                <div className="explorer-find">
                  <input
                    className="control"
                    type="search"
                    aria-label="Find a tool"
                    placeholder={`Find one of ${all.length} tools`}
                    value={get('find')}
                    onChange={({ target }) => set({ find: target.value })}
                  />
                  <div className="filters">
                    <Select
                      label="Toolset"
                      all="All toolsets"
                      value={get('toolset')}
                      options={[...new Set(all.map(({ toolset }) => toolset))]
                        .toSorted()
                        .map((toolset) => ({ value: toolset, label: toolset }))}
                      onChange={(toolset) => set({ toolset })}
                    />
                    <Select
                      label="Effect"
                      all="All effects"
                      value={get('effect')}
                      options={EFFECTS.map((effect) => ({ value: effect, label: words(effect) }))}
                      onChange={(effect) => set({ effect })}
                    />
                  </div>
                </div>
                <div className="explorer-tools">
                  <ToolList
                    tools={found}
                    chosen={get('tool')}
                    onChoose={(tool) => set({ tool, args: '' }, 'push')}
                  />
                </div>
              </section>
              {chosen ? (
                <ToolPanel key={chosen.name} tool={chosen} />
              ) : (
                <section className="card" aria-label="Tool">
                  <Empty title={get('tool') === '' ? 'Choose a tool' : `There is no tool ${get('tool')}`}>
                    <p>Its arguments, its result and the same call for other programs appear here.</p>
                  </Empty>
                </section>
              )}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}
