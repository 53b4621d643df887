import { useCallback, useRef, useState } from 'react';
import { useTool } from '../../api/use-tool.js';
import { FilePanel } from '../../ui/file-panel.js';
import { count } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import { Loaded } from '../../ui/states.js';
import type { ViewProps } from './graph.js';
import { NeighbourDrawing } from './neighbour-drawing.js';
import { NeighbourList } from './neighbour-list.js';
import { SymbolHead } from './symbol-head.js';
import { placeOf, targetOf, type Edge } from './symbols.js';

const STEP = 50;
const MAX_LIMIT = 500;
const SURE = 0.5;

const KINDS = {
  calls: { label: 'Calls', kinds: ['calls'] },
  imports: { label: 'Imports', kinds: ['imports'] },
  references: { label: 'Mentions', kinds: ['references'] },
  inheritance: { label: 'Inheritance', kinds: ['extends', 'implements'] },
} as const satisfies Record<string, { label: string; kinds: Edge['kind'][] }>;
const KIND_OPTIONS = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));
const isKind = (value: string): value is keyof typeof KINDS => Object.hasOwn(KINDS, value);

/** A symbol with what uses it and what it uses: as a drawing and as a list that holds the same, beside its code. */
export function Neighbours({ projectId, get, set }: ViewProps) {
  const symbol = get('symbol');
  const kind = get('edges');
  const limit = Math.min(MAX_LIMIT, Number(get('limit')) || STEP);
  const around = useTool(
    'graph_dependencies',
    {
      project_id: projectId,
      target: targetOf(symbol),
      limit,
      ...(isKind(kind) && { kinds: [...KINDS[kind].kinds] }),
      ...(get('sure') !== '' && { min_confidence: SURE }),
    },
    { keep: true },
  );
  const [active, setActive] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const open = useCallback((id: string) => set({ symbol: id, at: '', limit: '' }, 'push'), [set]);
  const place = placeOf(get('at'));
  return (
    <Loaded query={around} lines={12} onSuggestion={open}>
      {(data) => {
        const { target, dependents, dependencies, totals, truncated } = data;
        const isFile = target.kind === 'module';
        const hit: readonly [number, number] = [target.start_line, target.end_line];
        return (
          <>
            <SymbolHead projectId={projectId} symbol={target} cycles={data.cycles} onOpen={open} />
            <div className="around">
              <section className="card around-list" aria-label="Neighbours">
                <div className="card-head filters">
                  <Select
                    label="Relations"
                    all="All relations"
                    value={kind}
                    options={KIND_OPTIONS}
                    onChange={(edges) => set({ edges })}
                  />
                  <Select
                    label="Certainty"
                    all="With guesses"
                    value={get('sure')}
                    options={[{ value: '1', label: 'Without guesses' }]}
                    onChange={(sure) => set({ sure })}
                  />
                </div>
                <NeighbourList
                  data={data}
                  box={list}
                  active={active}
                  onActive={setActive}
                  onOpen={open}
                  onPlace={(at) => set({ at })}
                />
                {truncated && (
                  <p className="card-foot muted">
                    {count(dependents.length + dependencies.length)} of{' '}
                    {count(totals.dependents + totals.dependencies)} shown{' '}
                    {limit < MAX_LIMIT && (
                      <button
                        type="button"
                        className="button small"
                        onClick={() => set({ limit: String(limit + STEP) })}
                      >
                        Show more
                      </button>
                    )}
                  </p>
                )}
              </section>
              <NeighbourDrawing
                data={data}
                active={active}
                onActive={(id) => {
                  setActive(id);
                  showRow(list.current, id);
                }}
                onOpen={open}
              />
              {place.hit ? (
                <FilePanel
                  projectId={projectId}
                  path={place.path}
                  hit={place.hit}
                  onClose={() => set({ at: '' })}
                />
              ) : (
                <FilePanel projectId={projectId} path={target.path} {...(!isFile && { hit })} />
              )}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** Scrolls the list alone; scrollIntoView would move the page too. */
function showRow(box: HTMLElement | null, id: string): void {
  const row = [...(box?.querySelectorAll<HTMLElement>('[data-symbol]') ?? [])].find(
    ({ dataset }) => dataset['symbol'] === id,
  );
  if (!box || !row) return;
  const above = row.offsetTop - box.scrollTop;
  if (above < 0 || above + row.offsetHeight > box.clientHeight)
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
}
