import { useEffect, useRef, useState } from 'react';
import { useTool } from '../../api/use-tool.js';
import { count, counted } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { SymbolLink } from './symbol-link.js';
import { kindName, symbolName, targetOf, type GraphSymbol } from './symbols.js';

const MAX_MEMBERS = 40;
/** Shown at first: what a page says about the symbol comes below them. */
const FIRST_MEMBERS = 8;
const HOLDERS = new Set<GraphSymbol['kind']>(['module', 'class', 'interface', 'enum', 'type']);

/** What a symbol is, where it is, what holds it and what it holds. */
export function SymbolHead({
  projectId,
  symbol,
  cycles,
  onOpen,
}: {
  readonly projectId: string;
  readonly symbol: GraphSymbol;
  readonly cycles?: readonly (readonly string[])[];
  readonly onOpen: (id: string) => void;
}) {
  const { data } = useTool('graph_dependencies', {
    project_id: projectId,
    target: targetOf(symbol.id),
    kinds: ['contains'],
    limit: MAX_MEMBERS,
  });
  const [opened, open] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(symbol.id);
  useEffect(() => {
    // The button that led here is gone, and its focus with it.
    if (before.current !== symbol.id) heading.current?.focus({ preventScroll: true });
    before.current = symbol.id;
  }, [symbol.id]);
  const holder = data?.dependents[0]?.symbol;
  const members = HOLDERS.has(symbol.kind) ? (data?.dependencies ?? []) : [];
  const total = data?.totals.dependencies ?? 0;
  const isWhole = opened === symbol.id || members.length <= FIRST_MEMBERS + 2; // a button instead of two saves nothing
  const shown = isWhole ? members : members.slice(0, FIRST_MEMBERS);
  const cycle = cycles?.[0];
  const nth = /~(\d+)$/.exec(symbol.qualified_name)?.[1]; // repeats of a name in a file are numbered
  return (
    <section className="card symbol-head" aria-label="Symbol">
      <div className="symbol-title">
        <span className="badge accent">{kindName(symbol.kind)}</span>
        <h2 ref={heading} tabIndex={-1} className="mono">
          {symbolName(symbol)}
        </h2>
        {symbol.kind !== 'module' && (
          <span className="muted symbol-place">
            {holder && holder.kind !== 'module' && (
              <>
                in{' '}
                <button type="button" className="link" onClick={() => onOpen(holder.id)}>
                  {holder.qualified_name}
                </button>{' '}
              </>
            )}
            <button type="button" className="link" onClick={() => onOpen(symbol.path)}>
              {symbol.path}
            </button>
            , line {symbol.start_line}
            {nth !== undefined && `, number ${nth} of this name there`}
          </span>
        )}
      </div>
      {symbol.signature !== '' && symbol.kind !== 'module' && (
        <p className="mono muted signature">{symbol.signature}</p>
      )}
      {members.length > 0 && (
        <ul className="chips" aria-label="Holds">
          {shown.map(({ symbol: member }) => (
            <li key={member.id}>
              <button type="button" className="chip" onClick={() => onOpen(member.id)}>
                <span className="muted">{kindName(member.kind)}</span> {member.name}
              </button>
            </li>
          ))}
          {!isWhole && (
            <li>
              <button type="button" className="chip" onClick={() => open(symbol.id)}>
                {count(members.length - FIRST_MEMBERS)} more
              </button>
            </li>
          )}
          {isWhole && total > members.length && <li className="muted">of {count(total)}</li>}
        </ul>
      )}
      {cycle && (
        <p className="cycle-note">
          <Icon name="again" />
          <span>
            It is part of {counted(cycles?.length ?? 0, 'cycle')}:{' '}
            {cycle.map((id) => (
              <span key={id}>
                <SymbolLink id={id} onOpen={onOpen} /> →{' '}
              </span>
            ))}
            <SymbolLink id={cycle[0] ?? ''} onOpen={onOpen} />
          </span>
        </p>
      )}
    </section>
  );
}
