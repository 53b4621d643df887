import { useSyncExternalStore } from 'react';
import { readStoredValue, writeStored } from './browser-storage.js';
import type { LiveEvent } from './live.js';

const MAX_EVENTS = 500;
const STORED = 'recent-event-groups';

/** An event as this tab heard it, with those like it that came right before. */
export interface RecentEvent extends LiveEvent {
  /** Tells it from all others; later ones have a greater one. */
  readonly key: number;
  /** The key of the first one of the group, which stays as the group grows. */
  readonly first: number;
  /** How many more events the group has. */
  readonly others: number;
}

let events = readStoredValue<readonly RecentEvent[]>('sessionStorage', STORED) ?? [];
let lastKey = events[0]?.key ?? 0;
const listeners = new Set<() => void>();

/** Keeps an event of the stream. Only the newest 500 groups of this tab are kept: a folder of files is one. */
export function keepEvent(event: LiveEvent): void {
  if (event.type === 'reset') return;
  const key = ++lastKey;
  const newest = events[0];
  if (newest && isLike(newest, event))
    events = [{ ...event, key, first: newest.first, others: newest.others + 1 }, ...events.slice(1)];
  else events = [{ ...event, key, first: key, others: 0 }, ...events.slice(0, MAX_EVENTS - 1)];
  for (const listener of listeners) listener();
}

/** Whether two events that follow each other read as one: the same happened to files of one project. */
export function isLike(one: LiveEvent, other: LiveEvent): boolean {
  return (
    one.type.startsWith('file.') &&
    one.type === other.type &&
    one.data['project_id'] === other.data['project_id'] &&
    one.data['error'] === other.data['error']
  );
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

addEventListener('pagehide', () => {
  writeStored('sessionStorage', STORED, JSON.stringify(events)); // in vain where it is full: the list starts empty
});
