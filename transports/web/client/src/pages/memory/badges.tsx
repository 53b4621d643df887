import { words } from '../../ui/format.js';
import type { Importance, Status } from './kinds.js';

const STATUS_TONES: Readonly<Record<Status, string>> = {
  active: 'accent',
  verified: 'good',
  disputed: 'bad',
  superseded: 'idle',
};

/** How knowledge stands. Lists leave out `active`, which most of it is. */
export function StatusBadge({ status }: { readonly status: string }) {
  const tone = STATUS_TONES[status as Status]; // the service names no other
  return <span className={`badge ${tone}`}>{words(status)}</span>;
}

const IMPORTANCE_TONES: Readonly<Record<Importance, string>> = {
  low: 'idle',
  medium: 'idle',
  high: 'busy',
  critical: 'bad',
};

export function ImportanceBadge({ importance }: { readonly importance: Importance }) {
  return <span className={`badge ${IMPORTANCE_TONES[importance]}`}>{words(importance)}</span>;
}
