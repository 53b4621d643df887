import type { ComponentType, LazyExoticComponent } from 'react';
import type { ToolName } from './api/call.js';
import { lazyPage } from './lazy-page.js';
import type { IconName } from './ui/icon.js';

/** Where a page stands in the navigation. */
export type PageGroup = 'use' | 'build' | 'manage';

/** A page in the navigation and the palette. */
export interface PageLink {
  readonly path: string;
  readonly label: string;
  readonly group: PageGroup;
  readonly icon: IconName;
  /** `g` and this letter open it. */
  readonly key?: string;
  readonly about: string;
}

export interface PageEntry extends PageLink {
  /** The page is left out where the deployment does not have this tool. */
  readonly needs?: ToolName;
  /** The value of the address that a name below the path stands for: with `view`, `/graph/impact` is `/graph?view=impact`. */
  readonly below?: string;
  /** Loaded when the page is opened first. */
  readonly component: LazyExoticComponent<ComponentType>;
}

/** The pages that are written by hand, in the order of the navigation. Those of plugins come after them. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    label: 'Home',
    group: 'use',
    icon: 'home',
    key: 'h',
    about: 'State, news, connecting a client',
    component: lazyPage(async () => (await import('./pages/home/home.js')).Home),
  },
  {
    path: '/search',
    label: 'Search',
    group: 'use',
    icon: 'search',
    key: 's',
    about: 'Code and documents, by meaning, words or pattern',
    needs: 'search_hybrid',
    component: lazyPage(async () => (await import('./pages/search/search.js')).Search),
  },
  {
    path: '/files',
    label: 'Files',
    group: 'use',
    icon: 'files',
    key: 'f',
    about: 'What is indexed, and what failed',
    needs: 'files_list',
    component: lazyPage(async () => (await import('./pages/files/files.js')).Files),
  },
  {
    path: '/memory',
    label: 'Memory',
    group: 'use',
    icon: 'memory',
    key: 'm',
    about: 'Decisions, notes and lessons, and their clean-up',
    needs: 'memory_list_events',
    below: 'tab',
    component: lazyPage(async () => (await import('./pages/memory/memory.js')).Memory),
  },
  {
    path: '/graph',
    label: 'Graph',
    group: 'use',
    icon: 'graph',
    key: 'r',
    about: 'What code uses, and what a change of it affects',
    needs: 'graph_dependencies',
    below: 'view',
    component: lazyPage(async () => (await import('./pages/graph/graph.js')).Graph),
  },
  {
    path: '/activity',
    label: 'Activity',
    group: 'build',
    icon: 'activity',
    key: 'a',
    about: 'Changes, as they happen',
    component: lazyPage(async () => (await import('./pages/activity/activity.js')).Activity),
  },
  {
    path: '/explorer',
    label: 'Explorer',
    group: 'build',
    icon: 'explorer',
    key: 'x',
    about: 'Try any tool, and copy the call',
    below: 'tool',
    component: lazyPage(async () => (await import('./pages/explorer/explorer.js')).Explorer),
  },
  {
    path: '/health',
    label: 'Health',
    group: 'manage',
    icon: 'health',
    key: 'e',
    about: 'Checks, indexes, usage',
    component: lazyPage(async () => (await import('./pages/health/health.js')).Health),
  },
  {
    path: '/toolsets',
    label: 'Toolsets',
    group: 'manage',
    icon: 'list',
    key: 't',
    about: 'Which tools are on, and how to change that',
    component: lazyPage(async () => (await import('./pages/toolsets/toolsets.js')).Toolsets),
  },
];

/** The page that draws what a plugin declares. */
export const VIEW_PAGE = lazyPage(async () => (await import('./pages/view/view.js')).ViewPage);
