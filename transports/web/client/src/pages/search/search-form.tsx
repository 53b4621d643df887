import { type FormEvent, type KeyboardEvent } from 'react';
import { Icon } from '../../ui/icon.js';
import type { Address } from '../../ui/use-address.js';
import { useFieldText } from '../../ui/use-field-text.js';
import { MODES, type Mode } from './modes.js';
import { OPTIONS } from './use-search.js';

const EXAMPLES: Readonly<Record<Mode['id'], string>> = {
  best: 'where are errors handled',
  meaning: 'how is a lost connection noticed',
  words: 'parseConfig "must not be empty"',
  regex: 'time_?out|retry',
};

/** What to search for, and how. `problem` is what is wrong with the query, shown at its field. */
export function SearchForm({
  mode,
  problem,
  onResults,
  get,
  set,
}: {
  readonly mode: Mode;
  readonly problem: string | undefined;
  /** The arrow down leads from the field to the results. */
  readonly onResults: () => void;
} & Address) {
  const [text, setText] = useFieldText(get('q'));
  // A space of a pattern counts, at its ends too.
  const queryIn = (id: Mode['id']) => (id === 'regex' ? text : text.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') set({ q: queryIn(mode.id), limit: '', file: '' }, 'push');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    onResults();
  };
  return (
    <>
      <form className="search-form" role="search" onSubmit={submit}>
        <Icon name="search" />
        <input
          autoFocus={get('q') === ''}
          aria-label="Search for"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : 'search-problem'}
          className={mode.id === 'regex' ? 'mono' : undefined}
          placeholder={EXAMPLES[mode.id]}
          maxLength={4000}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="button primary">
          Search
        </button>
      </form>
      {problem !== undefined && (
        <p className="field-error" id="search-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="search-bar">
        <div className="segments" role="group" aria-label="Mode">
          {MODES.map(({ id, label, about }) => (
            <button
              key={id}
              type="button"
              title={about}
              aria-pressed={id === mode.id}
              onClick={() =>
                set({ mode: id, file: '', ...(text.trim() !== '' && { q: queryIn(id) }) }, 'push')
              }
            >
              {label}
            </button>
          ))}
        </div>
        {mode.id === 'regex' ? (
          <div className="checks" role="group" aria-label="Expression options">
            {OPTIONS.map(({ name, label }) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={get(name) !== ''}
                  onChange={({ target }) => set({ [name]: target.checked ? '1' : '' })}
                />
                {label}
              </label>
            ))}
          </div>
        ) : (
          <p className="muted time">{mode.about}</p>
        )}
      </div>
    </>
  );
}
