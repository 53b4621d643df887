import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useTool } from '../../api/use-tool.js';
import { count } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Failed } from '../../ui/states.js';
import { kindName, symbolName, type GraphSymbol } from './symbols.js';

const SHOWN = 12;
/** Typing pauses for so long before it is looked up. */
const SETTLE_MS = 120;

/** Finds a symbol as one types its name (ARIA Authoring Practices, "Combobox"). */
export function SymbolField({
  projectId,
  label,
  autoFocus = false,
  onChoose,
}: {
  readonly projectId: string;
  readonly label: string;
  readonly autoFocus?: boolean;
  readonly onChoose: (symbol: GraphSymbol) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const query = useSettled(text.trim());
  const { data, error } = useTool(
    'graph_symbols',
    { project_id: projectId, query, per_page: SHOWN },
    { enabled: query !== '', keep: true },
  );
  const isCurrent = open && query !== '' && query === text.trim();
  const items = isCurrent ? (data?.items ?? []) : [];
  const choose = (symbol: GraphSymbol | undefined) => {
    if (!symbol) return;
    setText('');
    setOpen(false);
    onChoose(symbol);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(items[at]);
    else if (event.key === 'Escape' && open) setOpen(false);
    else if (step !== undefined && items.length > 0) setAt((at + step + items.length) % items.length);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="symbol-field">
      <div className="search-form">
        <Icon name="search" />
        <input
          autoFocus={autoFocus}
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={items[at] && `${id}-${at}`}
          aria-autocomplete="list"
          aria-label={label}
          placeholder={label}
          maxLength={500}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      {isCurrent && error && <Failed error={error} />}
      <div className={isCurrent && data ? 'suggestions' : 'suggestions closed'}>
        <div role="listbox" id={`${id}-list`} aria-label="Symbols">
          {items.map((symbol, index) => (
            <div
              key={symbol.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()} // the field keeps the focus, and the list stays
              onClick={() => choose(symbol)}
              onPointerMove={() => setAt(index)}
            >
              <b className="mono">{symbolName(symbol)}</b>
              <span className="badge">{kindName(symbol.kind)}</span>
              {symbol.kind !== 'module' && <span className="path">{symbol.path}</span>}
            </div>
          ))}
        </div>
        {isCurrent && data && (
          <output className="suggestions-foot muted">
            {data.total === 0 && 'Nothing in this project is called so'}
            {data.total > SHOWN && `${count(SHOWN)} of ${count(data.total)}: type more of the name`}
          </output>
        )}
      </div>
    </div>
  );
}

/** A value that has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
