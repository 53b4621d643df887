import { counted } from '../../ui/format.js';
import type { Note } from './notice.js';

/** What to tell after a record was stored: secrets that were taken out, and records that say the same. */
export function storedNote(
  done: string,
  {
    redacted = [],
    duplicates = [],
  }: {
    readonly redacted?: readonly { readonly field: string; readonly rule: string }[] | undefined;
    readonly duplicates?: readonly unknown[];
  },
): Note {
  const secrets = redacted.map(({ field, rule }) => `${field} (${rule})`).join(', ');
  const parts = [
    done,
    ...(secrets === '' ? [] : [`Secrets were taken out and are not stored: ${secrets}.`]),
    ...(duplicates.length === 0
      ? []
      : [
          `${counted(duplicates.length, 'record')} ${duplicates.length === 1 ? 'says' : 'say'} the same: Clean-up merges them.`,
        ]),
  ];
  return { text: parts.join(' '), ...(duplicates.length > 0 && { isForCleanUp: true }) };
}
