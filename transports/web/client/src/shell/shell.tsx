import { useRef, useState, type ReactNode } from 'react';
import { useLive } from '../api/use-live.js';
import { useTool } from '../api/use-tool.js';
import { Announcements } from '../ui/announce.js';
import { Icon, Mark } from '../ui/icon.js';
import { Modal } from '../ui/modal.js';
import { Failed } from '../ui/states.js';
import { LateResults } from './late-results.js';
import { Palette } from './palette.js';
import { Sidebar } from './sidebar.js';
import { useShortcuts } from './shortcuts.js';
import { usePageChange } from './use-page-change.js';
import { useWorkspace } from './workspace.js';

/** What is around every page: navigation, palette, shortcuts, and a note while the service is away. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [isPaletteOpen, openPalette] = useState(false);
  const [isMenuOpen, openMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const live = useLive();
  const { data: deployment, error, refetch } = useTool('deployment_get', {});
  useShortcuts(() => openPalette(true));
  usePageChange(main);
  const search = () => {
    openMenu(false);
    openPalette(true);
  };
  return (
    <div className="shell">
      {/* A link to #main would lead to the root page: the page has a base. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header className="topbar">
        <button
          type="button"
          className="button quiet icon-only"
          aria-label="Menu"
          onClick={() => openMenu(true)}
        >
          <Icon name="menu" />
        </button>
        <span className="brand">
          <Mark /> Context memory
        </span>
        <button type="button" className="button quiet icon-only" aria-label="Go to…" onClick={search}>
          <Icon name="search" />
        </button>
      </header>
      <header className="side">
        <Sidebar onSearch={search} />
      </header>
      {isMenuOpen && (
        <Modal className="drawer" label="Menu" onClose={() => openMenu(false)}>
          <Sidebar onSearch={search} onGo={() => openMenu(false)} />
        </Modal>
      )}
      <main ref={main} tabIndex={-1}>
        {live === 'lost' && (
          <output className="away">The service does not answer. This page continues when it does.</output>
        )}
        <LostWorkspace />
        <LateResults />
        {deployment?.read_only === true && (
          <p className="read-only">This service is read-only: nothing can be changed here.</p>
        )}
        {/* Verbatim: to find the buttons of the tools that a message names, it would ask for the same again, without end. */}
        {!deployment && error && <Failed error={error} again={() => void refetch()} verbatim />}
        {children}
      </main>
      <Announcements />
      {isPaletteOpen && <Palette onClose={() => openPalette(false)} />}
    </div>
  );
}

/** Says why the page is about another workspace than its address was. */
function LostWorkspace() {
  const { workspace, isLost, dismissLost } = useWorkspace();
  if (!isLost) return null;
  return (
    <div className="away" role="alert">
      You cannot see the workspace that this page was about: it was deleted, or you are not a member of it.
      This is {workspace.name}.{' '}
      <button type="button" className="link" onClick={dismissLost}>
        Dismiss
      </button>
    </div>
  );
}
