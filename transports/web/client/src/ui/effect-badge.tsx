import type { Effect } from '../api/tool-table.js';
import { words } from './format.js';

const TONES: Readonly<Record<Effect, string>> = {
  read: 'idle',
  create: 'good',
  update: 'busy',
  write: 'busy',
  delete: 'bad',
};

/** What a tool does to what is stored. */
export function EffectBadge({ effect }: { readonly effect: Effect }) {
  return <span className={`badge ${TONES[effect]}`}>{words(effect)}</span>;
}
