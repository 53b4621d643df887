import { useSyncExternalStore } from 'react';
import { ago } from './format.js';

const EVERY_MS = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** How long ago a time was, also a minute later: one timer draws all of a page again whose text has changed. */
export function Ago({ value }: { readonly value: string }) {
  return useSyncExternalStore(subscribe, () => ago(value));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
