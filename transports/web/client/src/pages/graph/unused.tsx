import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { counted } from '../../ui/format.js';
import { BrokenPath } from '../../ui/path-name.js';
import { Select } from '../../ui/select.js';
import { Empty } from '../../ui/states.js';
import type { ViewProps } from './graph.js';
import { MAX_NODES } from './map/project-map.js';
import { pageOf, PlaceList } from './place-list.js';
import { byFile, kindName, symbolName } from './symbols.js';

type UnusedSymbol = Output<'graph_unused'>['items'][number];

const PAGE_SIZE = 50;

/** Code that nothing reaches, by file, with the reason; its lines open beside the list. */
export function Unused(view: ViewProps) {
  const { projectId, get, set } = view;
  const folder = get('folder');
  const unused = useTool(
    'graph_unused',
    { project_id: projectId, page: pageOf(get), per_page: PAGE_SIZE, path_prefix: folder },
    { keep: true },
  );
  return (
    <>
      <div className="filters">
        <Select
          label="Folder"
          all="All folders"
          value={folder}
          options={useFolders(projectId, folder)}
          onChange={(next) => set({ folder: next, page: '', at: '' })}
        />
      </div>
      <PlaceList
        view={view}
        query={unused}
        pageSize={PAGE_SIZE}
        label="Unused code"
        className="card"
        keys=".neighbour-name"
        noun="unused symbol"
      >
        {({ items, total, uncertain }) => (
          <>
            {total === 0 && (
              <Empty title={folder === '' ? 'Nothing is unused' : `Nothing below ${folder} is unused`}>
                <p>Tests, exports of entry files or decorated code reach every function and type.</p>
              </Empty>
            )}
            {byFile(items.map((symbol) => ({ symbol }))).map(([path, inside]) => (
              <section key={path} aria-label={path}>
                <h3 className="file-head mono">
                  <BrokenPath path={path} />
                </h3>
                <ul>
                  {inside.map(({ symbol }) => (
                    <Row
                      key={symbol.id}
                      symbol={symbol}
                      place={get('at')}
                      onPlace={(at) => set({ at })}
                      onOpen={(id) => set({ symbol: id, view: '', folder: '', page: '', at: '' }, 'push')}
                    />
                  ))}
                </ul>
              </section>
            ))}
            <p className="card-foot muted">
              Frameworks may use more: check before you delete.
              {uncertain > 0 &&
                ` ${counted(uncertain, 'symbol')} of the project ${uncertain === 1 ? 'is' : 'are'} left out: a call of the same name could not be resolved.`}
            </p>
          </>
        )}
      </PlaceList>
    </>
  );
}

function Row({
  symbol,
  place,
  onPlace,
  onOpen,
}: {
  readonly symbol: UnusedSymbol;
  readonly place: string;
  readonly onPlace: (place: string) => void;
  readonly onOpen: (id: string) => void;
}) {
  const name = symbolName(symbol);
  const at = `${symbol.path}:${symbol.start_line}-${symbol.end_line}`;
  return (
    <li className={at === place ? 'neighbour active' : 'neighbour'}>
      <button
        type="button"
        className="neighbour-name mono"
        aria-pressed={at === place}
        onClick={() => onPlace(at)}
      >
        {name}
      </button>
      <span className="muted kind">{kindName(symbol.kind)}</span>
      <button
        type="button"
        className="link kind"
        aria-label={`Neighbours of ${name}`}
        onClick={() => onOpen(symbol.id)}
      >
        Neighbours
      </button>
      <p className="proofs">{symbol.reason}</p>
    </li>
  );
}

/** The folders of the map as starts of paths, and the one of the address where it is another. */
function useFolders(projectId: string, chosen: string) {
  const { data } = useTool('graph_overview', { project_id: projectId, limit: MAX_NODES });
  const folders = (data?.nodes ?? []).filter(({ id }) => id !== '.').map(({ id }) => `${id}/`);
  if (chosen !== '' && !folders.includes(chosen)) folders.unshift(chosen);
  return folders.toSorted().map((value) => ({ value, label: value }));
}
