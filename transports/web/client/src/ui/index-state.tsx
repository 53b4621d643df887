import type { Output } from '../api/call.js';

type State = Output<'projects_index_status'>['state'];

const STATES: Readonly<Record<State, readonly [tone: string, label: string]>> = {
  ready: ['good', 'Ready'],
  indexing: ['busy', 'Indexing'],
  degraded: ['bad', 'Incomplete'],
  empty: ['idle', 'Empty'],
  not_indexed: ['idle', 'Not indexed'],
};

export function IndexState({ state }: { readonly state: State }) {
  const [tone, label] = STATES[state];
  return <span className={`badge ${tone}`}>{label}</span>;
}
