import { useRef } from 'react';
import type { Output } from '../../api/call.js';
import { count, counted } from '../../ui/format.js';
import { BrokenPath } from '../../ui/path-name.js';
import { Empty } from '../../ui/states.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import { areaRow } from './area-row.js';
import { EDGE_WORDS, isGuess, kindName, percent, symbolName } from './symbols.js';

type Analysis = Output<'graph_impact_analysis'>;

/** The affected symbols by area, the nearest first, each with the line that ties it to the change. */
export function AffectedList({
  data: { affected, totals, unresolved_count },
  area,
  steps,
  onAll,
  onOpen,
}: {
  readonly data: Analysis;
  /** Only of this area; empty for all. */
  readonly area: string;
  /** Only as many steps away; empty for all. */
  readonly steps: string;
  readonly onAll: () => void;
  readonly onOpen: (id: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useListKeys(box, '.neighbour-name');
  const shown = affected.filter(
    (one) =>
      (area === '' || areaRow(totals, one.area) === area) && (steps === '' || String(one.depth) === steps),
  );
  const areas = [...new Set(shown.map((one) => one.area))];
  return (
    <section className="card" aria-label="Affected">
      <h2>Affected, the nearest first</h2>
      {(area !== '' || steps !== '') && (
        <p className="card-head">
          <span className="grow">
            Only {[area, steps && `${counted(Number(steps), 'step')} away`].filter(Boolean).join(', ')}
          </span>
          <button type="button" className="button small" onClick={onAll}>
            Show all
          </button>
        </p>
      )}
      {totals.affected === 0 && (
        <Empty title="Nothing in this project depends on it">
          <p>
            {unresolved_count > 0
              ? `${counted(unresolved_count, 'call')} could not be resolved and may use it.`
              : 'Code outside the project may.'}
          </p>
        </Empty>
      )}
      <div ref={box}>
        {areas.map((name) => (
          <section key={name} aria-label={name}>
            <h3 className="file-head mono">
              <BrokenPath path={name} />
            </h3>
            <ul>
              {shown
                .filter((one) => one.area === name)
                .map((one) => (
                  <Row key={one.symbol.id} affected={one} onOpen={onOpen} />
                ))}
            </ul>
          </section>
        ))}
      </div>
      {shown.length < totals.affected && (
        <p className="card-foot muted">
          {count(shown.length)} of {count(totals.affected)} shown
        </p>
      )}
    </section>
  );
}

function Row({
  affected: { symbol, depth, confidence, via },
  onOpen,
}: {
  readonly affected: Analysis['affected'][number];
  readonly onOpen: (id: string) => void;
}) {
  const [edge] = via;
  return (
    <li className="neighbour">
      <button type="button" className="neighbour-name mono" onClick={() => onOpen(symbol.id)}>
        {symbolName(symbol)}
      </button>
      <span className={`badge heat-${Math.max(1, 6 - depth)}`}>{counted(depth, 'step')}</span>
      <span className="muted kind">{kindName(symbol.kind)}</span>
      {edge && (
        <p className="proofs proof">
          {EDGE_WORDS[edge.kind]} in {edge.path}, line {edge.line}
          <span className={isGuess(confidence) ? 'badge busy' : 'certainty'}>
            {isGuess(confidence) && 'guess · '}
            {percent(confidence)}
          </span>
        </p>
      )}
      {edge && edge.snippet !== '' && <code className="snippet">{edge.snippet.trim()}</code>}
    </li>
  );
}
