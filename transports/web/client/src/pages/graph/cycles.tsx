import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { count, counted } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import { Empty } from '../../ui/states.js';
import type { ViewProps } from './graph.js';
import { pageOf, PlaceList } from './place-list.js';
import { SymbolLink } from './symbol-link.js';
import { EDGE_WORDS, percent } from './symbols.js';

type Cycle = Output<'graph_cycles'>['items'][number];

const PAGE_SIZE = 20;
const LEVELS = [
  { value: 'module', label: 'Between files' },
  { value: 'function', label: 'Between functions' },
] as const;
const NOUNS: Readonly<Record<Cycle['level'], string>> = { module: 'file', function: 'function' };

/** Files and functions that depend on each other in a circle, the largest first; a line of a circle opens beside the list. */
export function Cycles(view: ViewProps) {
  const { projectId, get, set } = view;
  const level = LEVELS.find(({ value }) => value === get('level'))?.value;
  const cycles = useTool(
    'graph_cycles',
    { project_id: projectId, page: pageOf(get), per_page: PAGE_SIZE, ...(level && { level }) },
    { keep: true },
  );
  return (
    <>
      <div className="filters">
        <Select
          label="Level"
          all="All cycles"
          value={level ?? ''}
          options={LEVELS}
          onChange={(next) => set({ level: next, page: '', at: '' })}
        />
      </div>
      <PlaceList
        view={view}
        query={cycles}
        pageSize={PAGE_SIZE}
        label="List of cycles"
        className="cycles"
        keys=".call-site .link"
        noun="cycle"
      >
        {({ items, total }) => (
          <>
            {total === 0 && (
              <Empty title={level ? `No ${NOUNS[level]}s depend on each other` : 'There are no cycles'}>
                <p>Files or functions that depend on each other in a circle appear here.</p>
              </Empty>
            )}
            <ul className="paths">
              {items.map((cycle) => (
                <CycleCard
                  key={`${cycle.level}:${cycle.members[0]}`}
                  cycle={cycle}
                  place={get('at')}
                  onPlace={(at) => set({ at })}
                  onOpen={(id) => set({ symbol: id, view: '', level: '', page: '', at: '' }, 'push')}
                />
              ))}
            </ul>
          </>
        )}
      </PlaceList>
    </>
  );
}

function CycleCard({
  cycle: { level, size, members, cycle },
  place,
  onPlace,
  onOpen,
}: {
  readonly cycle: Cycle;
  readonly place: string;
  readonly onPlace: (place: string) => void;
  readonly onOpen: (id: string) => void;
}) {
  const shown = new Set(cycle.map(({ id }) => id));
  const others = members.filter((id) => !shown.has(id));
  const left = size - shown.size - others.length;
  return (
    <li className="card">
      <h3 className="card-head">
        {counted(size, NOUNS[level])} in a circle
        {others.length > 0 && <span className="muted plain">a shortest way round</span>}
      </h3>
      <ol className="chain">
        {cycle.map(({ id, via }) => {
          const at = `${via.path}:${via.line}`;
          return (
            <li key={id}>
              <SymbolLink id={id} onOpen={onOpen} />
              <p className="call-site">
                {EDGE_WORDS[via.kind]}
                <button
                  type="button"
                  className="link"
                  aria-pressed={at === place}
                  onClick={() => onPlace(at)}
                >
                  {level === 'function' ? `${via.path}, line ${via.line}` : `line ${via.line}`}
                </button>
                <span className="certainty muted">{percent(via.confidence)}</span>
              </p>
            </li>
          );
        })}
        {cycle[0] && (
          <li>
            <SymbolLink id={cycle[0].id} onOpen={onOpen} />
          </li>
        )}
      </ol>
      {others.length > 0 && (
        <ul className="chips" aria-label="Also in it">
          <li className="muted">Also in it:</li>
          {others.map((id) => (
            <li key={id}>
              <SymbolLink id={id} onOpen={onOpen} />
            </li>
          ))}
          {left > 0 && <li className="muted">and {count(left)} more</li>}
        </ul>
      )}
    </li>
  );
}
