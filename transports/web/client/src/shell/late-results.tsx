import { useSyncExternalStore } from 'react';
import type { Failure } from '../api/failure.js';
import { Message } from '../ui/message.js';
import { ShownOnce, type Secret } from '../ui/shown-once.js';

interface Results {
  readonly secrets: readonly Secret[];
  readonly failures: readonly string[];
}

let results: Results = { secrets: [], failures: [] };
const listeners = new Set<() => void>();

/** Shows secrets above every page: what would have shown them was left while they were made. */
export function keepLateSecrets(secrets: readonly Secret[]): void {
  set({ secrets: [...secrets, ...results.secrets] });
}

/** Tells above every page that a call failed, where its form was left meanwhile. `title`: what the call was to do. */
export function keepLateFailure(title: string, { message }: Failure): void {
  set({ failures: [...results.failures, `“${title}” failed: ${message}`] });
}

/** What came of calls after their form or page was left. */
export function LateResults() {
  const { secrets, failures } = useSyncExternalStore(subscribe, () => results);
  return (
    <>
      {failures.length > 0 && (
        <div className="away" role="alert">
          <Message text={failures.join(' ')} />{' '}
          <button type="button" className="link" onClick={() => set({ failures: [] })}>
            Dismiss
          </button>
        </div>
      )}
      {secrets.length > 0 && <ShownOnce secrets={secrets} onClose={() => set({ secrets: [] })} />}
    </>
  );
}

function set(changed: Partial<Results>): void {
  results = { ...results, ...changed };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
