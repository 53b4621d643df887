import { useSyncExternalStore } from 'react';
import type { LiveEvent } from './live.js';

const MAX_EVENTS = 500;
const STORED = 'recent-events';

/** An event as this tab heard it; `key` tells it from all others. */
export interface RecentEvent extends LiveEvent {
  readonly key: number;
}

let events: readonly RecentEvent[] = load();
let lastKey = events[0]?.key ?? 0;
const listeners = new Set<() => void>();

/** Keeps an event of the stream. Only the newest 500 of this tab are kept. */
export function keepEvent(event: LiveEvent): void {
  if (event.type === 'reset') return;
  events = [{ ...event, key: ++lastKey }, ...events.slice(0, MAX_EVENTS - 1)];
  for (const listener of listeners) listener();
}

/** Forgets the events of a person who is not signed in any more. */
export function forgetEvents(): void {
  events = [];
  for (const listener of listeners) listener();
}

/** The events that this tab has heard, newest first, those before a reload too. */
export function useRecentEvents(): readonly RecentEvent[] {
  return useSyncExternalStore(subscribe, () => events);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function load(): readonly RecentEvent[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as readonly RecentEvent[]; // written below
  } catch {
    return []; // storage is blocked
  }
}

addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(events));
  } catch {
    // Storage is blocked or full: the list starts empty.
  }
});
