import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Failure } from '../api/failure.js';
import { count } from './format.js';
import { Icon } from './icon.js';
import { Failed } from './states.js';

/** Suggestions shown at once. */
export const MAX_SUGGESTIONS = 12;
/** Typing pauses for so long before it is looked up. */
const SETTLE_MS = 120;

/** Finds one of many as one types (ARIA Authoring Practices, "Combobox"). */
export function FindField<T extends { readonly id: string }>({
  label,
  listLabel,
  none,
  autoFocus = false,
  query,
  onQuery,
  items,
  total,
  error,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly listLabel: string;
  /** Said where nothing is found. */
  readonly none: string;
  readonly autoFocus?: boolean;
  /** What `items` were found by. */
  readonly query: string;
  /** Called with what was typed when typing pauses; empty: look nothing up. */
  readonly onQuery: (query: string) => void;
  /** Undefined: not looked up yet. Never those of the words before: Enter would choose one. */
  readonly items: readonly T[] | undefined;
  readonly total: number;
  readonly error: Failure | null;
  readonly onChoose: (item: T) => void;
  /** How one of them looks. */
  readonly children: (item: T) => ReactNode;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => onQuery(text.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, onQuery]);
  const isCurrent = open && query !== '' && query === text.trim();
  const shown = isCurrent ? (items ?? []) : [];
  const choose = (item: T | undefined) => {
    if (!item) return;
    setText('');
    setOpen(false);
    onChoose(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the keys are those of an input method
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(shown[at]);
    else if (event.key === 'Escape' && open) setOpen(false);
    else if (step !== undefined && shown.length > 0) setAt((at + step + shown.length) % shown.length);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="find-field">
      <div className="search-form">
        <Icon name="search" />
        <input
          autoFocus={autoFocus}
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown[at] && `${id}-${at}`}
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
      <div className={isCurrent && items ? 'suggestions' : 'suggestions closed'}>
        <div role="listbox" id={`${id}-list`} aria-label={listLabel}>
          {shown.map((item, index) => (
            <div
              key={item.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()} // the field keeps the focus, and the list stays
              onClick={() => choose(item)}
              onPointerMove={() => setAt(index)}
            >
              {children(item)}
            </div>
          ))}
        </div>
        {isCurrent && items && (
          <output className="suggestions-foot muted">
            {items.length === 0 && none}
            {total > items.length &&
              items.length >= MAX_SUGGESTIONS &&
              `${count(items.length)} of ${count(total)}: type more of the name`}
          </output>
        )}
      </div>
    </div>
  );
}
