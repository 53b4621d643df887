import { Link } from 'wouter';
import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { count, words } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import { Loaded } from '../../ui/states.js';
import { AffectedList } from './affected-list.js';
import type { ViewProps } from './graph.js';
import { HeatTable } from './heat-table.js';
import { SymbolHead } from './symbol-head.js';
import { symbolName, targetOf, type GraphSymbol } from './symbols.js';

type Analysis = Output<'graph_impact_analysis'>;

const LIMIT = 200;
const CHANGES = [
  { value: 'modify_signature', label: 'Its signature changes' },
  { value: 'modify_body', label: 'Only its body changes' },
  { value: 'rename', label: 'It is renamed' },
  { value: 'delete', label: 'It is deleted' },
] as const;
const TONES: Readonly<Record<Analysis['risk_level'], string>> = {
  low: 'good',
  medium: 'busy',
  high: 'bad',
  critical: 'bad',
};

/** What a change of a symbol affects: by area and steps, with its risk, tests to run and decisions about it. */
export function Impact({ projectId, get, set }: ViewProps) {
  const change = CHANGES.find(({ value }) => value === get('change')) ?? CHANGES[0];
  const impact = useTool(
    'graph_impact_analysis',
    {
      project_id: projectId,
      target: targetOf(get('symbol')),
      change_type: change.value,
      limit: LIMIT,
      max_depth: 20,
    },
    { keep: true },
  );
  const open = (id: string) => set({ symbol: id, view: '', area: '', steps: '' }, 'push');
  return (
    <Loaded query={impact} lines={12} onSuggestion={(id) => set({ symbol: id, area: '', steps: '' }, 'push')}>
      {(data) => (
        <>
          <SymbolHead projectId={projectId} symbol={data.target} onOpen={open} />
          <div className="impact">
            <div className="stack">
              <section className="card" aria-label="Risk">
                <div className="card-body stack">
                  <Select
                    label="What changes"
                    value={change.value}
                    options={CHANGES}
                    onChange={(value) => set({ change: value === CHANGES[0].value ? '' : value })}
                  />
                  <p className={`risk ${TONES[data.risk_level]}`}>{words(data.risk_level)} risk</p>
                  <ul className="reasons">
                    {data.reasons.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                </div>
              </section>
              <SymbolCard
                title="Tests to run"
                none="No known test reaches it."
                symbols={data.affected_tests}
                total={data.totals.tests}
                onOpen={open}
              />
              {data.overriding_methods.length > 0 && (
                <SymbolCard
                  title="Methods that override it"
                  symbols={data.overriding_methods}
                  total={data.overriding_methods.length}
                  onOpen={open}
                />
              )}
              <Decisions items={data.related_decisions} />
            </div>
            <div className="stack">
              {data.affected.length > 0 && (
                <HeatTable
                  data={data}
                  area={get('area')}
                  steps={get('steps')}
                  onChoose={(area, steps) => set({ area, steps })}
                />
              )}
              <AffectedList
                data={data}
                area={get('area')}
                steps={get('steps')}
                onAll={() => set({ area: '', steps: '' })}
                onOpen={open}
              />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}

function SymbolCard({
  title,
  none,
  symbols,
  total,
  onOpen,
}: {
  readonly title: string;
  readonly none?: string;
  readonly symbols: readonly GraphSymbol[];
  readonly total: number;
  readonly onOpen: (id: string) => void;
}) {
  return (
    <section className="card" aria-label={title}>
      <h2>
        {title} <span className="badge">{count(total)}</span>
      </h2>
      {total === 0 && <p className="card-body muted">{none}</p>}
      <ul className="rows dense">
        {symbols.map((symbol) => (
          <li key={symbol.id}>
            <div className="grow">
              <button type="button" className="link mono" onClick={() => onOpen(symbol.id)}>
                {symbolName(symbol)}
              </button>
              {symbol.kind !== 'module' && <p className="path">{symbol.path}</p>}
            </div>
          </li>
        ))}
      </ul>
      {total > symbols.length && (
        <p className="card-foot muted">
          {count(symbols.length)} of {count(total)} shown
        </p>
      )}
    </section>
  );
}

function Decisions({ items }: { readonly items: Analysis['related_decisions'] }) {
  if (items.length === 0) return null;
  return (
    <section className="card" aria-label="Decisions about it">
      <h2>Decisions about it</h2>
      <ul className="rows dense">
        {items.map(({ kind, id, title, summary, status, decided_at }) => (
          <li key={id}>
            <div className="grow">
              <Link className="strong" href={`/memory?${new URLSearchParams({ [kind]: id }).toString()}`}>
                {title}
              </Link>
              <p className="muted">{summary}</p>
              <p className="muted time">
                <span className="badge">{words(status)}</span> {decided_at.slice(0, 10)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
