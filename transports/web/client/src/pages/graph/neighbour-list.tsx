import type { RefObject } from 'react';
import type { Output } from '../../api/call.js';
import { count, counted } from '../../ui/format.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import {
  EDGE_WORDS,
  REASON_WORDS,
  byFile,
  isGuess,
  kindName,
  percent,
  symbolName,
  type Edge,
  type Neighbour,
} from './symbols.js';

interface Choices {
  /** Id of the neighbour that the drawing points out too. */
  readonly active: string;
  readonly onActive: (id: string) => void;
  readonly onOpen: (id: string) => void;
  /** Shows a line, as `src/store.ts:12`. */
  readonly onPlace: (place: string) => void;
}

/** The neighbours of a symbol by file, with the lines that prove each. */
export function NeighbourList({
  data,
  box,
  ...choices
}: {
  readonly data: Output<'graph_dependencies'>;
  /** What scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
} & Choices) {
  useListKeys(box, '.neighbour-name');
  const { dependents, dependencies, external, totals, unresolved_count } = data;
  return (
    <div className="neighbour-list" ref={box}>
      <Direction title="Used by" none="Nothing in this project uses it." total={totals.dependents}>
        {dependents.length > 0 && <Files items={dependents} {...choices} />}
      </Direction>
      <Direction title="Uses" none="It uses nothing else in this project." total={totals.dependencies}>
        {dependencies.length > 0 && <Files items={dependencies} {...choices} />}
      </Direction>
      {external.length > 0 && (
        <Direction title="Uses from elsewhere" total={totals.external}>
          <ul className="chips">
            {external.map(({ name, version }) => (
              <li key={name} className="chip plain mono">
                {name}
                {version !== undefined && <span className="muted"> {version}</span>}
              </li>
            ))}
          </ul>
        </Direction>
      )}
      {unresolved_count > 0 && (
        <p className="muted neighbour-note">
          {counted(unresolved_count, 'call')} could not be resolved and may be missing here.
        </p>
      )}
    </div>
  );
}

function Direction({
  title,
  total,
  none,
  children,
}: {
  readonly title: string;
  readonly total: number;
  readonly none?: string;
  readonly children: React.ReactNode;
}) {
  return (
    <section aria-label={title}>
      <h3 className="direction">
        {title} <span className="badge">{count(total)}</span>
      </h3>
      {total === 0 ? <p className="muted neighbour-note">{none}</p> : children}
    </section>
  );
}

function Files({ items, ...choices }: { readonly items: readonly Neighbour[] } & Choices) {
  return byFile(items).map(([path, inside]) => (
    <section key={path} aria-label={path}>
      <h4 className="file-head">
        <button type="button" className="link" onClick={() => choices.onOpen(path)}>
          {path}
        </button>
      </h4>
      <ul>
        {inside.map((neighbour) => (
          <Row key={neighbour.symbol.id} neighbour={neighbour} {...choices} />
        ))}
      </ul>
    </section>
  ));
}

function Row({
  neighbour: { symbol, via },
  active,
  onActive,
  onOpen,
  onPlace,
}: { readonly neighbour: Neighbour } & Choices) {
  const select = () => onActive(symbol.id);
  return (
    <li
      className={active === symbol.id ? 'neighbour active' : 'neighbour'}
      data-symbol={symbol.id}
      onPointerEnter={select}
      onFocus={select}
    >
      <button type="button" className="neighbour-name mono" onClick={() => onOpen(symbol.id)}>
        {symbol.kind === 'module' ? 'the file itself' : symbolName(symbol)}
      </button>
      {symbol.kind !== 'module' && <span className="muted kind">{kindName(symbol.kind)}</span>}
      <ul className="proofs">
        {via.map((edge) => (
          <Proof key={`${edge.kind}:${edge.path}:${edge.line}`} edge={edge} onPlace={onPlace} />
        ))}
      </ul>
    </li>
  );
}

/** The line that proves an edge, and how certain it is. */
function Proof({
  edge: { kind, path, line, confidence, reason },
  onPlace,
}: {
  readonly edge: Edge;
  readonly onPlace: (place: string) => void;
}) {
  return (
    <li className="proof">
      {EDGE_WORDS[kind]}{' '}
      <button type="button" className="link" onClick={() => onPlace(`${path}:${line}`)}>
        line {line}
      </button>
      <span className={isGuess(confidence) ? 'badge busy' : 'certainty'}>
        {isGuess(confidence) ? 'guess' : 'resolved'} {REASON_WORDS[reason]} · {percent(confidence)}
      </span>
    </li>
  );
}
