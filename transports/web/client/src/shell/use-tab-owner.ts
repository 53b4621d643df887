import { useEffect, useSyncExternalStore } from 'react';
import { accounts } from '../api/deployment.js';
import { forgetEvents } from '../api/recent-events.js';
import { useTool } from '../api/use-tool.js';

const STORED = 'tab-owner';

/** The account that this document is for; undefined before it is known. */
let owner: string | undefined;
const listeners = new Set<() => void>();

/**
 * The account of this tab, known before a page shows what the tab keeps: texts that are not saved, notes, and events. All
 * of that is forgotten where another person has signed in since.
 */
export function useTabOwner() {
  const { data, error, refetch } = useTool('auth_me', {}, { enabled: accounts });
  const known = useSyncExternalStore(subscribe, () => owner);
  const id = data?.id;
  useEffect(() => {
    if (id !== undefined) takeTab(id);
  }, [id]);
  return { isKnown: !accounts || (id !== undefined && id === known), error, refetch };
}

function takeTab(id: string): void {
  if (owner === id) return;
  forgetOthers(id);
  if (owner !== undefined) {
    location.reload(); // every result that this document holds is of another person
    return;
  }
  owner = id;
  for (const listener of listeners) listener();
}

function forgetOthers(id: string): void {
  try {
    if (sessionStorage.getItem(STORED) === id) return;
    sessionStorage.clear();
    forgetEvents();
    sessionStorage.setItem(STORED, id);
  } catch {
    // A browser without storage keeps nothing of anybody.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
