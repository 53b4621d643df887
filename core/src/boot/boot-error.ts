import { editDistance } from '../text.js';

/** A deployment that must not start. `place` says where the fault lies, `remedy` what to change. */
export class BootError extends Error {
  readonly place: string;
  readonly remedy: string;

  constructor(place: string, problem: string, remedy: string, cause?: unknown) {
    super(`${place}: ${problem}\n  ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'BootError';
    this.place = place;
    this.remedy = remedy;
  }
}

/** `did you mean "x"?` for a misspelt name, or the names that exist. */
export function suggest(word: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 4)))
    .sort((a, b) => a.distance - b.distance)[0];
  if (near) return `Did you mean "${near.name}"?`;
  return known.length > 0 ? `Known: ${known.join(', ')}.` : 'There is none.';
}
