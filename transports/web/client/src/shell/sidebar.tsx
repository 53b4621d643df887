import { Link, useLocation } from 'wouter';
import { accounts, ROOT, version } from '../api/deployment.js';
import { STATES, useLive } from '../api/use-live.js';
import { useTool } from '../api/use-tool.js';
import type { PageGroup } from '../pages.js';
import { Icon, Mark } from '../ui/icon.js';
import { ThemeButton } from './theme.js';
import { usePages } from './use-pages.js';
import { useWorkspace } from './workspace.js';

const GROUPS: readonly { readonly group: PageGroup; readonly title?: string }[] = [
  { group: 'use' },
  { group: 'build', title: 'Build' },
  { group: 'manage', title: 'Manage' },
];

export function Sidebar({ onSearch, onGo }: { readonly onSearch: () => void; readonly onGo?: () => void }) {
  const [location] = useLocation();
  const pages = usePages();
  return (
    <div className="sidebar">
      <Link href="/" className="brand" {...(onGo && { onClick: onGo })}>
        <Mark /> Context memory
      </Link>
      <WorkspacePicker />
      <button type="button" className="jump" onClick={onSearch}>
        <Icon name="search" /> <span>Go to…</span> <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Pages">
        {GROUPS.map(({ group, title }) => {
          const links = pages.filter((page) => page.group === group);
          if (links.length === 0) return null;
          return (
            <div key={group}>
              {title !== undefined && <h2>{title}</h2>}
              {links.map(({ path, label, icon }) => (
                <Link
                  key={path}
                  href={path}
                  ref={isAt(location, path) ? bringIntoView : null}
                  {...(onGo && { onClick: onGo })}
                  aria-current={isAt(location, path) ? 'page' : undefined}
                >
                  <Icon name={icon} /> {label}
                </Link>
              ))}
            </div>
          );
        })}
      </nav>
      <div className="sidebar-foot">
        <LiveNote />
        <Person />
      </div>
    </div>
  );
}

/** Above the foot, the navigation fades out. */
const FADE_PX = 16;

/** What a reload opens may be at the end of a long navigation. scrollIntoView would move the page too. */
function bringIntoView(link: HTMLElement | null): void {
  const box = link?.closest('.sidebar');
  const foot = box?.querySelector('.sidebar-foot');
  if (!link || !box || !foot) return;
  const hidden = link.getBoundingClientRect().bottom + FADE_PX - foot.getBoundingClientRect().top;
  box.scrollTop += Math.max(0, hidden);
}

function isAt(location: string, path: string): boolean {
  return path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
}

function WorkspacePicker() {
  const { workspace, workspaces, choose } = useWorkspace();
  if (workspaces.length === 1)
    return (
      <p className="workspace-name" title={workspace.name}>
        {workspace.name}
      </p>
    );
  return (
    <select aria-label="Workspace" value={workspace.id} onChange={({ target }) => choose(target.value)}>
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function LiveNote() {
  const state = useLive();
  return (
    <output className="live-note">
      <span className={`dot ${state}`} /> <span>{STATES[state]}</span>
      <span className="version">{version}</span>
    </output>
  );
}

function Person() {
  const { data: me } = useTool('auth_me', {}, { enabled: accounts });
  const name = accounts ? me?.name || me?.email || '' : 'Local owner';
  return (
    <div className="person">
      <span className="avatar" aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <span className="person-name">
        <span>{name}</span>
        {accounts && <a href={new URL('oauth/account', ROOT).href}>Account</a>}
      </span>
      <ThemeButton />
    </div>
  );
}
