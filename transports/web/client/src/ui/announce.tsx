import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';

interface Announcement {
  readonly key: number;
  readonly text: string;
}

/** Long enough for a screen reader to take it from the page. */
const KEPT_MS = 5_000;

let last = 0;
let announcements: readonly Announcement[] = [];
const listeners = new Set<() => void>();

/** Tells a screen reader what a person sees without the focus on it. */
export function announce(text: string): void {
  const key = (last += 1);
  set([...announcements, { key, text }]);
  setTimeout(() => set(announcements.filter((each) => each.key !== key)), KEPT_MS);
}

/** Of what is shown: whether it is a result, and that of other arguments until theirs is there. */
export const ResultState = createContext<'none' | 'previous' | 'current'>('none');

/**
 * Announces a text of a result when it is shown first, and again where it changes after the address did: by what a person
 * asked for, not by every event.
 */
export function useAnnounced(text: string): void {
  const state = useContext(ResultState);
  const announced = useRef({ text: '', address: '' });
  useEffect(() => {
    const address = location.href;
    const isNew = text !== announced.current.text && address !== announced.current.address;
    if (state !== 'current' || text === '' || !isNew) return;
    announced.current = { text, address };
    announce(text);
  }, [state, text]);
}

/** Where announcements stand. It is there before them: a region that comes with its text is not read. */
export function Announcements() {
  const shown = useSyncExternalStore(subscribe, () => announcements);
  return (
    <div className="visually-hidden" role="log" aria-label="Announcements">
      {shown.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

function set(next: readonly Announcement[]): void {
  announcements = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
