import { useRef } from 'react';
import { count, counted } from '../../../ui/format.js';
import { Icon } from '../../../ui/icon.js';
import { Pager } from '../../../ui/pager.js';
import { BrokenPath } from '../../../ui/path-name.js';
import { Skeleton } from '../../../ui/states.js';
import { useListKeys } from '../../../ui/use-list-keys.js';
import type { Overview } from './scene.js';

const PAGE_SIZE = 100;
const MAX_RELATIONS = 8;

interface Rows {
  /** Id that the map points out too. */
  readonly active: string;
  readonly onActive: (id: string) => void;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** The areas of a project; with an open one its files, and the areas that it uses and that use it. */
export function MapList({
  areas,
  files,
  area,
  onArea,
  onFile,
  ...rows
}: {
  readonly areas: Overview;
  readonly files: Overview | undefined;
  readonly area: string;
  readonly onArea: (id: string) => void;
  readonly onFile: (id: string) => void;
} & Rows) {
  const box = useRef<HTMLDivElement>(null);
  useListKeys(box, '.neighbour-name');
  if (area === '')
    return (
      <section className="card around-list" aria-label="Areas">
        <h2>Areas</h2>
        <div className="neighbour-list" ref={box}>
          <List nodes={areas.nodes} noun="area" onOpen={onArea} {...rows} />
        </div>
      </section>
    );
  return (
    <section className="card around-list" aria-label="Files of the area">
      <div className="card-head">
        <button type="button" className="button quiet small" onClick={() => onArea('')}>
          All areas
        </button>
        <Icon name="right" />
        <h2 className="mono plain">{nameOf(area)}</h2>
      </div>
      <div className="neighbour-list" ref={box}>
        <Relations title="Uses" ends={relationsOf(areas, area, 'source', 'target')} onArea={onArea} />
        <Relations title="Used by" ends={relationsOf(areas, area, 'target', 'source')} onArea={onArea} />
        {files ? (
          <List
            nodes={files.nodes.filter((file) => file.area === area)}
            noun="file"
            onOpen={onFile}
            {...rows}
          />
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    </section>
  );
}

function List({
  nodes,
  noun,
  active,
  page,
  onActive,
  onOpen,
  onPage,
}: {
  readonly nodes: Overview['nodes'];
  readonly noun: string;
  readonly onOpen: (id: string) => void;
} & Rows) {
  const sorted = nodes.toSorted((a, b) => b.symbols - a.symbols || (a.id < b.id ? -1 : 1));
  return (
    <>
      <ul>
        {sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ id, files, symbols }) => (
          <li
            key={id}
            className={active === id ? 'neighbour active' : 'neighbour'}
            onPointerEnter={() => onActive(id)}
            onFocus={() => onActive(id)}
          >
            <button type="button" className="neighbour-name mono" onClick={() => onOpen(id)}>
              {noun === 'file' ? id.slice(id.lastIndexOf('/') + 1) : <BrokenPath path={nameOf(id)} />}
            </button>
            <span className="muted time">
              {noun === 'area' && `${counted(files, 'file')}, `}
              {counted(symbols, 'symbol')}
            </span>
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        pages={Math.ceil(nodes.length / PAGE_SIZE)}
        about={counted(nodes.length, noun)}
        onPage={onPage}
      />
    </>
  );
}

function Relations({
  title,
  ends,
  onArea,
}: {
  readonly title: string;
  readonly ends: readonly (readonly [area: string, count: number])[];
  readonly onArea: (id: string) => void;
}) {
  if (ends.length === 0) return null;
  return (
    <section aria-label={title} className="area-relations">
      <h3>
        {title} <span className="badge">{count(ends.length)}</span>
      </h3>
      <ul className="chips">
        {ends.slice(0, MAX_RELATIONS).map(([id, number]) => (
          <li key={id}>
            <button type="button" className="chip" onClick={() => onArea(id)}>
              <span className="mono">{nameOf(id)}</span> <span className="muted">{count(number)}</span>
            </button>
          </li>
        ))}
        {ends.length > MAX_RELATIONS && (
          <li className="muted">and {count(ends.length - MAX_RELATIONS)} more</li>
        )}
      </ul>
    </section>
  );
}

/** The areas at the other end of the edges of one, with the number of edges of all kinds, the most first. */
function relationsOf(
  { edges }: Overview,
  area: string,
  own: 'source' | 'target',
  other: 'source' | 'target',
) {
  const ends = new Map<string, number>();
  for (const edge of edges)
    if (edge[own] === area) ends.set(edge[other], (ends.get(edge[other]) ?? 0) + edge.count);
  return [...ends].toSorted(([, a], [, b]) => b - a);
}

/** The directory of the files that are in none is `.`. */
const nameOf = (area: string): string => (area === '.' ? 'top folder' : area);
