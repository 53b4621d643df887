import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { Output } from './call.js';
import { listen, type LiveState } from './live.js';
import { keepEvent } from './recent-events.js';
import { refresh } from './use-tool.js';

const EVERY_MS = 1_000;

/** Names of tools, by the first word of an event, whose results it changes. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  file: ['files_', 'projects_', 'search_', 'workspaces_overview', 'graph_'],
  project: ['files_', 'projects_', 'workspaces_overview', 'graph_'],
  memory: [
    'memory_',
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

/** The states, for people. */
export const STATES: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Not connected, trying again',
};

const Live = createContext<LiveState>('connecting');
export const useLive = () => useContext(Live);

/** Reads again what events say has changed, at most once a second however many there are. */
export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    const changed = new Set<string>();
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
        changed.add('auth_list_audit'); // whatever changed, somebody did it
        const lists = (client.getQueryData<Output<'deployment_get'>>(['deployment_get', {}])?.views ?? [])
          .filter(({ refresh_on }) => refresh_on.some((start) => type.startsWith(start)))
          .map(({ list }) => list);
        const known = CHANGES[word] ?? (lists.length > 0 ? [] : EVERYTHING);
        for (const prefix of [...known, ...lists]) changed.add(prefix);
      },
    );
    const timer = setInterval(() => {
      if (changed.size === 0) return;
      const prefixes = [...changed];
      changed.clear();
      void refresh(client, prefixes);
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [client]);
  return <Live value={state}>{children}</Live>;
}
