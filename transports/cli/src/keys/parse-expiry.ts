import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
const MAX_AHEAD_MS = 100 * 366 * 86_400_000;

/** The end of a key as RFC 3339: after `12h`, `30d` or `8w`, or at a date (its midnight, UTC) or time. For commander. */
export function parseExpiry(text: string, now = new Date()): string {
  const [, amount, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const end = amount === undefined ? atDate(text) : now.getTime() + Number(amount) * (UNITS[unit] ?? 0);
  if (Number.isNaN(end))
    throw new InvalidArgumentError('Give a date (2027-01-31) or a duration (30d, 12h, 8w).');
  if (end <= now.getTime()) throw new InvalidArgumentError('That is in the past.');
  if (end > now.getTime() + MAX_AHEAD_MS)
    throw new InvalidArgumentError('That is too far ahead; leave it out for a key without an end.');
  return new Date(end).toISOString();
}

/** NaN for a date that does not exist: Date would carry it over into the next month. */
function atDate(text: string): number {
  if (!DATE.test(text)) return Number.NaN;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const real = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  return real ? Date.parse(text) : Number.NaN;
}
