import type { Output } from '../../api/call.js';
import { count, counted } from '../../ui/format.js';
import { BrokenPath } from '../../ui/path-name.js';
import { areaRow } from './area-row.js';
import { byNumber } from './symbols.js';

const HEATS = 5;
/** In the place of an area: no path is empty. */
const EVERY_AREA = '';

/** Affected symbols by area and by steps from the change: the more there are, the warmer the cell. A cell narrows the list. */
export function HeatTable({
  data: { affected, totals, truncated },
  area,
  steps,
  onChoose,
}: {
  readonly data: Output<'graph_impact_analysis'>;
  /** Those that are chosen; empty for all. */
  readonly area: string;
  readonly steps: string;
  readonly onChoose: (area: string, steps: string) => void;
}) {
  const cells = new Map<string, number>();
  const add = (key: string) => cells.set(key, (cells.get(key) ?? 0) + 1);
  for (const { area: inside, depth } of affected) {
    add(keyOf(areaRow(totals, inside), depth));
    add(keyOf(EVERY_AREA, depth));
  }
  const numberOf = (name: string, depth: number) => cells.get(keyOf(name, depth)) ?? 0;
  const depths = [...new Set(affected.map(({ depth }) => depth))].toSorted(byNumber);
  /** Those that are not in the list, since they are further away. */
  const restOf = (name: string, total: number) =>
    depths.reduce((rest, depth) => rest - numberOf(name, depth), total);
  const areas = Object.entries(totals.by_area);
  const most = Math.max(...areas.flatMap(([name]) => depths.map((depth) => numberOf(name, depth))));
  const choose = (nextArea: string, nextSteps: string) =>
    nextArea === area && nextSteps === steps ? onChoose('', '') : onChoose(nextArea, nextSteps);
  return (
    <section className="card" aria-label="Where it is felt">
      <h2>
        {counted(totals.affected, 'symbol')} affected in {counted(totals.modules, 'file')}
      </h2>
      <div className="heat" tabIndex={0} role="region" aria-label="Affected symbols by area and steps">
        <table>
          <thead>
            <tr>
              <th scope="col">Area</th>
              {depths.map((depth) => (
                <th key={depth} scope="col">
                  <button type="button" className="link" onClick={() => choose('', String(depth))}>
                    {counted(depth, 'step')}
                  </button>
                </th>
              ))}
              {truncated && <th scope="col">Further</th>}
              <th scope="col">All</th>
            </tr>
          </thead>
          <tbody>
            {areas.map(([name, total]) => (
              <tr key={name}>
                <th scope="row">
                  <button type="button" className="link" onClick={() => choose(name, '')}>
                    <BrokenPath path={name} />
                  </button>
                </th>
                {depths.map((depth) => {
                  const number = numberOf(name, depth);
                  const isChosen = area === name && steps === String(depth);
                  return (
                    <td key={depth}>
                      {number > 0 && (
                        <button
                          type="button"
                          className={`heat-cell heat-${heatOf(number, most)}`}
                          aria-pressed={isChosen}
                          aria-label={`${counted(number, 'symbol')} of ${name}, ${counted(depth, 'step')} away`}
                          onClick={() => choose(name, String(depth))}
                        >
                          {count(number)}
                        </button>
                      )}
                    </td>
                  );
                })}
                {truncated && <td className="muted">{count(restOf(name, total))}</td>}
                <td className="strong">{count(total)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              {depths.map((depth) => (
                <td key={depth} className="strong">
                  {count(numberOf(EVERY_AREA, depth))}
                </td>
              ))}
              {truncated && <td className="muted">{count(restOf(EVERY_AREA, totals.affected))}</td>}
              <td className="strong">{count(totals.affected)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      {truncated && (
        <p className="card-foot muted">
          The nearest {count(affected.length)} are counted by steps and listed below.
        </p>
      )}
    </section>
  );
}

const keyOf = (area: string, depth: number): string => `${depth} ${area}`;

/** 1 for one symbol to 5 for the most in one cell, by orders of magnitude. */
function heatOf(number: number, most: number): number {
  return 1 + Math.round(((HEATS - 1) * Math.log(number)) / Math.max(Math.log(most), 1));
}
