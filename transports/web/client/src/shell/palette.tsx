import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { Icon, type IconName } from '../ui/icon.js';
import { Modal } from '../ui/modal.js';
import { usePages } from './use-pages.js';
import { useWorkspace } from './workspace.js';

const SEARCH = '/search';

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly note: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** Finds a page or a workspace by its name (ARIA Authoring Practices, "Combobox"), or searches for what is typed. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(text);
  const id = useId();
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const move = (to: number) => {
    const next = (to + entries.length) % Math.max(entries.length, 1);
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' }); // a dialog has a scroll of its own
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the keys are those of an input method
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') run(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal className="palette" label="Go to" onClose={onClose}>
      <div className="palette-field">
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] && `${id}-${entries[at].id}`}
          aria-label="Page, workspace, or words to search for"
          placeholder="Page, workspace, or words to search for"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div role="listbox" id={`${id}-list`} aria-label="Found" ref={list}>
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`${id}-${entry.id}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(entry)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
            <span className="muted">{entry.note}</span>
          </div>
        ))}
      </div>
    </Modal>
  );
}

function useEntries(text: string): readonly Entry[] {
  const [, go] = useLocation();
  const { workspace, workspaces, choose } = useWorkspace();
  const typed = text.trim().toLowerCase();
  const known = usePages();
  const pages = known.map(({ path, label, icon, about }): Entry => ({
    id: `page-${path}`,
    label,
    note: about,
    icon,
    run: () => go(path),
  }));
  const others = workspaces
    .filter(({ id }) => id !== workspace.id)
    .map(({ id, name }): Entry => ({
      id,
      label: name,
      note: 'Switch to this workspace',
      icon: 'person',
      run: () => choose(id),
    }));
  const found = [...pages, ...others].filter(({ label, note }) =>
    `${label} ${note}`.toLowerCase().includes(typed),
  );
  if (typed === '' || !known.some(({ path }) => path === SEARCH)) return found;
  const query = text.trim();
  return [
    ...found,
    {
      id: 'search',
      label: query,
      note: 'Search for it',
      icon: 'search',
      run: () => go(`${SEARCH}?${new URLSearchParams({ q: query }).toString()}`),
    },
  ];
}
