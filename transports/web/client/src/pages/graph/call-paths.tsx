import { useRef } from 'react';
import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { useAnnounced } from '../../ui/announce.js';
import { counted } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Select } from '../../ui/select.js';
import { Empty, Loaded } from '../../ui/states.js';
import { splitSymbol } from '../../ui/split-symbol.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import type { ViewProps } from './graph.js';
import { SymbolField } from './symbol-field.js';
import { isGuess, percent, symbolName, targetOf } from './symbols.js';

type Found = Output<'graph_call_paths'>;

const DIRECTIONS = [
  { value: 'callees', label: 'What it calls in the end' },
  { value: 'callers', label: 'What calls it in the end' },
] as const;

/** Chains of calls from a symbol to another one; without another one, to the last callees or the first callers. */
export function CallPaths({ projectId, get, set }: ViewProps) {
  const from = get('symbol');
  const to = get('to');
  const direction = to === '' ? (get('ends') === 'callers' ? 'callers' : 'callees') : 'callees';
  const paths = useTool(
    'graph_call_paths',
    {
      project_id: projectId,
      from: targetOf(from),
      ...(to !== '' && { to: targetOf(to) }),
      direction,
      max_depth: 20,
    },
    { keep: true },
  );
  const swap = () => set({ symbol: to, to: from }, 'push');
  return (
    <>
      <section className="card path-ends" aria-label="Ends of the paths">
        <dl>
          <div>
            <dt>From</dt>
            <dd>
              <EndOfPaths id={from} />
            </dd>
          </div>
          {to !== '' && (
            <div>
              <dt>To</dt>
              <dd>
                <EndOfPaths id={to} />
              </dd>
            </div>
          )}
        </dl>
        {to === '' ? (
          <Select
            label="Direction"
            value={direction}
            options={DIRECTIONS}
            onChange={(ends) => set({ ends: ends === 'callers' ? ends : '' })}
          />
        ) : (
          <div className="filters">
            <button type="button" className="button small" onClick={swap}>
              <Icon name="again" /> Swap
            </button>
            <button type="button" className="button small" onClick={() => set({ to: '' }, 'push')}>
              All chains
            </button>
          </div>
        )}
        <SymbolField
          projectId={projectId}
          label={to === '' ? 'To: name of a function' : 'To another function'}
          onChoose={({ id }) => set({ to: id }, 'push')}
        />
      </section>
      <Loaded
        query={paths}
        lines={10}
        onSuggestion={(id) => set({ [paths.error?.argument === 'to' ? 'to' : 'symbol']: id }, 'push')}
      >
        {(data) =>
          data.paths.length === 0 ? (
            <NoPath data={data} hasEnd={to !== ''} direction={direction} onSwap={swap} />
          ) : (
            <Paths data={data} onOpen={(id) => set({ symbol: id, view: '', to: '' }, 'push')} />
          )
        }
      </Loaded>
    </>
  );
}

function Paths({ data, onOpen }: { readonly data: Found; readonly onOpen: (id: string) => void }) {
  const list = useRef<HTMLOListElement>(null);
  useListKeys(list, '.link');
  const { paths, truncated } = data;
  const more = truncated ? ', and there are more' : '';
  const about = `${counted(paths.length, 'path')}${more}: the shortest first, then the most certain`;
  useAnnounced(about);
  return (
    <>
      <p className="found muted">{about}</p>
      <ol className="paths" ref={list}>
        {paths.map(({ hops, length, confidence }) => (
          <li
            key={hops.map(({ symbol, call_site }) => `${symbol.id}:${call_site?.line}`).join(' ')}
            className="card"
          >
            <p className="card-head">
              <span className="grow strong">{counted(length, 'call')}</span>
              <span className={isGuess(confidence) ? 'badge busy' : 'muted time'}>
                {isGuess(confidence) && 'guess · '}
                {percent(confidence)}
              </span>
            </p>
            <ol className="chain">
              {hops.map(({ symbol, call_site }) => (
                <li key={symbol.id}>
                  {call_site && (
                    <p className="call-site">
                      <span className="muted">line {call_site.line}</span>
                      {call_site.snippet !== '' && (
                        <code className="snippet">{call_site.snippet.trim()}</code>
                      )}
                      {isGuess(call_site.confidence) && (
                        <span className="badge busy">guess · {percent(call_site.confidence)}</span>
                      )}
                    </p>
                  )}
                  <p className="hop">
                    <button type="button" className="link mono" onClick={() => onOpen(symbol.id)}>
                      {symbolName(symbol)}
                    </button>
                    {symbol.kind !== 'module' && (
                      <span className="path">
                        {symbol.path}:{symbol.start_line}
                      </span>
                    )}
                  </p>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </>
  );
}

function NoPath({
  data: { furthest, unresolved_count },
  hasEnd,
  direction,
  onSwap,
}: {
  readonly data: Found;
  readonly hasEnd: boolean;
  readonly direction: 'callees' | 'callers';
  readonly onSwap: () => void;
}) {
  const reached = furthest?.reached ?? 0;
  return (
    <Empty title={hasEnd ? 'No chain of calls leads there' : NONE[direction]}>
      {hasEnd && reached > 0 && furthest && (
        <p>
          The calls of the start reach {counted(reached, 'function')}, up to {counted(furthest.depth, 'call')}{' '}
          away: the furthest is {symbolName(furthest.symbol)}.
        </p>
      )}
      {unresolved_count > 0 && (
        <p>
          {counted(unresolved_count, 'call')} could not be resolved: {unresolved_count === 1 ? 'it' : 'one'}{' '}
          may be the missing link.
        </p>
      )}
      {hasEnd && (
        <button type="button" className="button small" onClick={onSwap}>
          Look the other way
        </button>
      )}
    </Empty>
  );
}

const NONE = {
  callees: 'It calls nothing in this project',
  callers: 'Nothing in this project calls it',
} as const;

/** The name of a function and its file; a file is its path. */
function EndOfPaths({ id }: { readonly id: string }) {
  const { path, symbol } = splitSymbol(id);
  return (
    <>
      <span className="mono">{symbol ?? path}</span>
      {symbol !== undefined && <span className="muted"> in {path}</span>}
    </>
  );
}
