import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { Output } from './call.js';
import { WORKSPACE } from './deployment.js';
import { listen, type LiveEvent, type LiveState } from './live.js';
import { keepEvent } from './recent-events.js';
import { markStale, refresh } from './use-tool.js';

const EVERY_MS = 1_000;
/** After so long the next results are asked for although some of the last are not there yet. */
const MAX_REFRESH_MS = 30_000;

/**
 * Names of tools, by an event or its first word, whose results it changes. Results about one record or project, such as
 * those of memory_get_node and projects_index_status, change with the events that name its id: see `idsOf`.
 */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  file: ['files_', 'projects_list', 'search_', 'workspaces_overview', 'graph_'],
  project: ['files_', 'projects_list', 'workspaces_overview', 'graph_'],
  'project.deleted': ['files_', 'projects_list', 'workspaces_overview', 'graph_', 'search_', 'memory_'],
  memory: [
    'memory_decisions',
    'memory_facets',
    'memory_hygiene',
    'memory_list_',
    'memory_search',
    'memory_timeline',
    'search_',
    'workspaces_overview',
    'graph_impact_analysis',
    'graph_related_knowledge',
    'graph_list_links',
  ],
  member: ['members_', 'workspaces_'],
  workspace: ['workspaces_', 'auth_me'],
};
const EVERYTHING = [''];
/** First words of events that pages of other workspaces do not show. */
const CONFINED: ReadonlySet<string> = new Set(['file', 'project', 'memory']);

/** The states, for people. */
export const STATES: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Not connected, trying again',
};

const Live = createContext<LiveState>('connecting');
export const useLive = () => useContext(Live);

/**
 * Reads again what events say has changed, at most once a second however many there are, and not before the last
 * results are there: a read that is asked again ends the one before, and where events come faster than answers, none
 * would arrive. What changes in a workspace that is not shown is read when one goes there.
 */
export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    const changed = new Set<string>();
    const changedElsewhere = new Map<string, Set<string>>(); // by workspace
    let refreshed = 0; // when the refresh began that is not over
    let before: LiveState = 'connecting';
    const stop = listen(
      (next) => {
        if (next === 'live' && before === 'lost') changed.add(''); // events may have been missed
        setState((before = next));
      },
      (event) => {
        keepEvent(event);
        const { type } = event;
        const word = type.slice(0, type.indexOf('.'));
        const elsewhere = CONFINED.has(word) && isOfAnother(event.workspace_id) ? event.workspace_id : null;
        const affected = elsewhere === null ? changed : (changedElsewhere.get(elsewhere) ?? new Set());
        if (elsewhere !== null) changedElsewhere.set(elsewhere, affected);
        affected.add('auth_list_audit'); // whatever changed, somebody did it
        const lists = (client.getQueryData<Output<'deployment_get'>>(['deployment_get', {}])?.views ?? [])
          .filter(({ refresh_on }) => refresh_on.some((start) => type.startsWith(start)))
          .map(({ list }) => list);
        const known = CHANGES[type] ?? CHANGES[word] ?? (lists.length > 0 ? [] : EVERYTHING);
        for (const each of [...known, ...lists, ...idsOf(event)]) affected.add(each);
      },
    );
    const timer = setInterval(() => {
      for (const [workspaceId, names] of changedElsewhere)
        if (isOfAnother(workspaceId)) markStale(client, [...names]);
        else for (const name of names) changed.add(name); // the page has gone there since
      changedElsewhere.clear();
      if (changed.size === 0 || Date.now() - refreshed < MAX_REFRESH_MS) return;
      const names = [...changed];
      changed.clear();
      const began = (refreshed = Date.now());
      void refresh(client, names).finally(() => {
        if (refreshed === began) refreshed = 0;
      });
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [client]);
  return <Live value={state}>{children}</Live>;
}

/** The record or project that an event is about. */
const idsOf = ({ data }: LiveEvent): string[] =>
  [data['id'], data['project_id']].filter((id) => typeof id === 'string');

/** Whether it is about another workspace than the page; without accounts a single one is not named. */
function isOfAnother(workspaceId: string | null): boolean {
  const shown = new URLSearchParams(location.search).get(WORKSPACE);
  return shown !== null && workspaceId !== null && workspaceId !== shown;
}
