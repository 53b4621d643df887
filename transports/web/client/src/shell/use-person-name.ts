import { accounts } from '../api/deployment.js';
import { usePeople } from './use-people.js';

/** Names people by the ids that records have; a single owner is the only one there is. */
export function usePersonName(): (userId: string) => string {
  const nameOf = usePeople();
  return (userId) => (accounts ? (nameOf(userId) ?? 'a former member') : 'the owner');
}
