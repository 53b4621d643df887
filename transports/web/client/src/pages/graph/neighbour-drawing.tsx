import { useLayoutEffect, useRef, useState } from 'react';
import type { Output } from '../../api/call.js';
import { cut, EDGE_WORDS, isGuess, symbolName, type GraphSymbol, type Neighbour } from './symbols.js';

/** Neighbours drawn on each side; the list has them all. */
const MAX_DRAWN = 9;
const ROW = 46;
const BOX = 38;
const PAD = 14;
/** Width of a character of the names, which are in a font of one width. */
const CHAR = 7.3;
const MAX_BOX = 250;

interface Placed {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly x: number;
  readonly y: number;
  readonly isGuess: boolean;
}

/** A symbol between what uses it and what it uses. Screen readers and keys have the list, which holds the same. */
export function NeighbourDrawing({
  data: { target, dependents, dependencies, totals },
  active,
  onActive,
  onOpen,
}: {
  readonly data: Output<'graph_dependencies'>;
  /** Id of the neighbour that the list points out too. */
  readonly active: string;
  readonly onActive: (id: string) => void;
  readonly onOpen: (id: string) => void;
}) {
  const [frame, width] = useWidth();
  const gap = width < 560 ? 22 : 64;
  const box = Math.min(MAX_BOX, (width - 2 * PAD - 2 * gap) / 3);
  const left = Math.min(MAX_DRAWN, dependents.length);
  const right = Math.min(MAX_DRAWN, dependencies.length);
  const height = Math.max(left, right, 3) * ROW + 2 * PAD + 26;
  const middle = height / 2 + 10;
  const place = (items: readonly Neighbour[], x: number): readonly Placed[] =>
    items.slice(0, MAX_DRAWN).map(({ symbol, via, confidence }, index, { length }) => ({
      id: symbol.id,
      name: symbolName(symbol),
      note: [via[0] && EDGE_WORDS[via[0].kind], fileOf(symbol) || 'file'].filter(Boolean).join(' · '),
      x,
      y: middle + (index - (length - 1) / 2) * ROW,
      isGuess: isGuess(confidence),
    }));
  const center = (width - box) / 2;
  const users = place(dependents, PAD);
  const used = place(dependencies, width - PAD - box);
  const choices = { width: box, active, onActive, onOpen };
  return (
    <div className="card drawing" ref={frame} aria-hidden="true">
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          <Title x={PAD} title="Used by" drawn={users.length} total={totals.dependents} />
          <Title x={width - PAD} anchor="end" title="Uses" drawn={used.length} total={totals.dependencies} />
          {[...users, ...used].map((placed) => {
            const isUser = placed.x < center;
            const from = isUser ? placed.x + box : center + box;
            const to = isUser ? center : placed.x;
            const [y1, y2] = isUser ? [placed.y, middle] : [middle, placed.y];
            return (
              <Link
                key={`${isUser}${placed.id}`}
                points={[from, y1, to, y2]}
                className={classes('link-line', placed, active)}
              />
            );
          })}
          <g className="node center">
            <rect x={center} y={middle - BOX / 2} width={box} height={BOX} rx="8" />
            <Lines
              x={center}
              y={middle}
              width={box}
              name={symbolName(target)}
              note={fileOf(target) || 'file'}
            />
          </g>
          {users.map((placed) => (
            <Node key={placed.id} placed={placed} {...choices} />
          ))}
          {used.map((placed) => (
            <Node key={placed.id} placed={placed} {...choices} />
          ))}
        </svg>
      )}
    </div>
  );
}

function Title({
  x,
  anchor = 'start',
  title,
  drawn,
  total,
}: {
  readonly x: number;
  readonly anchor?: 'start' | 'end';
  readonly title: string;
  readonly drawn: number;
  readonly total: number;
}) {
  return (
    <text className="drawing-title" x={x} y={PAD + 10} textAnchor={anchor}>
      {title} {drawn < total ? `${drawn} of ${total}` : total}
    </text>
  );
}

function Node({
  placed,
  width,
  active,
  onActive,
  onOpen,
}: {
  readonly placed: Placed;
  readonly width: number;
  readonly active: string;
  readonly onActive: (id: string) => void;
  readonly onOpen: (id: string) => void;
}) {
  const { id, name, note, x, y } = placed;
  return (
    <g
      className={classes('node', placed, active)}
      data-node={id}
      onPointerEnter={() => onActive(id)}
      onClick={() => onOpen(id)}
    >
      <title>{id}</title>
      <rect x={x} y={y - BOX / 2} width={width} height={BOX} rx="8" />
      <Lines x={x} y={y} width={width} name={name} note={note} />
    </g>
  );
}

function Lines({
  x,
  y,
  width,
  name,
  note,
}: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly name: string;
  readonly note: string;
}) {
  const room = Math.max(1, Math.floor((width - 18) / CHAR));
  return (
    <>
      <text className="node-name" x={x + 9} y={y - 3}>
        {cut(name, room)}
      </text>
      <text className="node-note" x={x + 9} y={y + 12}>
        {note.length > room + 2 ? `${note.slice(0, room + 1)}…` : note}
      </text>
    </>
  );
}

/** A curve with the head of an arrow at its end. A marker would need `url(#…)`, which means another page below a base. */
function Link({
  points: [x1, y1, x2, y2],
  className,
}: {
  readonly points: readonly [number, number, number, number];
  readonly className: string;
}) {
  const bend = (x1 + x2) / 2;
  return (
    <g className={className}>
      <path d={`M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2 - 5} ${y2}`} />
      <path className="head" d={`M${x2} ${y2}l-7 -4v8Z`} />
    </g>
  );
}

const classes = (name: string, { id, isGuess: guess }: Placed, active: string): string =>
  [name, guess && 'guess', id === active && 'active'].filter(Boolean).join(' ');

/** The name of the file that a symbol is in; empty for a file. */
const fileOf = ({ kind, path }: GraphSymbol): string =>
  kind === 'module' ? '' : path.slice(path.lastIndexOf('/') + 1);

/** The width of an element, as it changes; 0 before the first measure. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}
