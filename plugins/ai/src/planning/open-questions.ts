import type { Evidence, FoundRecord } from './evidence.js';
import { shortened } from './draft.js';

const MAX_QUESTIONS = 12;
const MAX_NAMED = 5;
const MAX_TEXT = 160;

/** A pair of records of which at most one can hold. */
export interface Contradiction {
  readonly one: FoundRecord;
  readonly other: FoundRecord;
}

/** What a maintainer has to settle, since the evidence does not. */
export function openQuestions(
  { parts, missing, mentions, records }: Evidence,
  contradictions: readonly Contradiction[],
): string[] {
  const quote = (text: string) => `“${shortened(text, MAX_TEXT)}”`;
  const isSymbol = (target: string) => target.includes('#');
  const ambiguous = mentions.filter(
    ({ text, targets }) => targets.length > 1 && targets.every(isSymbol) && !text.includes('/'),
  );
  return [
    ...missing.map(
      (part) => `Nothing was found for ${quote(parts[part]!.text)}: is it new, or known by other words?`,
    ),
    ...mentions
      .filter(({ targets }) => targets.length === 0)
      .map(({ text }) => `Nothing is called \`${shortened(text, MAX_TEXT)}\`: is it to be made?`),
    ...ambiguous.map(({ text, targets }) => {
      const named = targets.slice(0, MAX_NAMED).join(', ');
      return `Which \`${text}\` is meant: ${named}${targets.length > MAX_NAMED ? ', …' : ''}?`;
    }),
    ...contradictions.map(
      ({ one, other }) => `${named(one)} and ${named(other)} contradict each other: which one holds?`,
    ),
    ...records
      .filter(({ isInForce }) => !isInForce)
      .map((record) => `${named(record)} is ${record.standing}: does the work rely on it?`),
  ].slice(0, MAX_QUESTIONS);
}

function named({ type, title, id }: FoundRecord): string {
  return `The ${type} “${shortened(title, MAX_TEXT)}” (${id})`;
}
