import type { KeyboardEvent } from 'react';
import type { Address } from '../../ui/use-address.js';
import { Folder } from './folder.js';

/** Separates folders in the address: no path holds it. */
const SEPARATOR = '\n';

/**
 * The folders of a project, each read when it is opened. The arrow keys move through the rows, open and close them; those
 * that are open are in the address.
 */
export function FileTree({ projectId, get, set }: { readonly projectId: string } & Address) {
  const open = new Set(get('open').split(SEPARATOR).filter(Boolean));
  const onToggle = (folder: string) => {
    if (!open.delete(folder)) open.add(folder);
    set({ open: [...open].join(SEPARATOR) });
  };
  return (
    <section className="card" aria-label="Folders and files" onKeyDown={onKeyDown}>
      <Folder
        key={projectId}
        path=""
        tree={{ projectId, open, onToggle, file: get('file'), onFile: (path) => set({ file: path }, 'push') }}
      />
    </section>
  );
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const row = rows[at];
  if (!row) return;
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const isOpen = row.getAttribute('aria-expanded');
  if (step !== undefined) rows[at + step]?.focus();
  else if (event.key === 'ArrowRight' && isOpen === 'false') row.click();
  else if (event.key === 'ArrowLeft' && isOpen === 'true') row.click();
  else if (event.key === 'ArrowLeft')
    row.closest('ul')?.closest('li')?.querySelector<HTMLElement>('[data-row]')?.focus();
  else return;
  event.preventDefault();
}
