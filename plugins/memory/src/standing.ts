import type { MemoryHit } from './answers.js';

interface Standing {
  /** Null: of an event, which is what happened. */
  readonly status: string | null;
  readonly validity?: MemoryHit['validity'];
  readonly perhaps_replaced_by?: string | null;
}

/** True for an event, and for a node that is active or verified and valid at the time of the search. */
export function isInForce({ status, validity = null }: Standing): boolean {
  const holds = status === null || status === 'active' || status === 'verified';
  return holds && (validity === null || validity === 'current');
}

/** A status in words; none for what is simply in force. */
function standing(status: string | null): string[] {
  return status === null || status === 'active' ? [] : [status];
}

/** How a record that was found stands, in words: superseded, disputed, verified, no longer valid, perhaps replaced. */
export function standingOf({ status, validity = null, perhaps_replaced_by: by = null }: Standing): string[] {
  const later = by === null ? [] : [`perhaps replaced by ${by}`];
  if (status === 'superseded' || validity === null || validity === 'current')
    return [...standing(status), ...later];
  return [...standing(status), validity === 'past' ? 'no longer valid' : 'not valid yet'];
}

/** Why nothing is found as of a time before it was recorded. */
export const AS_OF_KNOWN =
  'as_of answers with what memory knew at that time, whatever the valid_from of what it learned later.';
/** A warning of a search. */
export const AS_OF_LATER = `${AS_OF_KNOWN} What the query finds was recorded later, or did not hold then.`;
