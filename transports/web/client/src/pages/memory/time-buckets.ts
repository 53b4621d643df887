import type { Input } from '../../api/call.js';

export type Granularity = NonNullable<Input<'memory_timeline'>['granularity']>;

const SHAPES: Readonly<Record<Granularity, RegExp>> = {
  day: /^\d{4}-\d\d-\d\d$/,
  week: /^\d{4}-\d\d-\d\d$/,
  month: /^\d{4}-\d\d$/,
};
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A bucket is named by its first day, such as 2026-11-23, or its month, such as 2026-11. */
export const isBucket = (name: string, by: Granularity): boolean =>
  SHAPES[by].test(name) && !Number.isNaN(Date.parse(name));

/** The bucket `steps` after another; before it where they are negative. */
export function movedBy(name: string, by: Granularity, steps: number): string {
  const date = new Date(name);
  if (by === 'month') date.setUTCMonth(date.getUTCMonth() + steps);
  else date.setUTCDate(date.getUTCDate() + steps * (by === 'week' ? 7 : 1));
  return date.toISOString().slice(0, name.length);
}

/** Its first and last day. */
export function daysOf(name: string, by: Granularity): { readonly from: string; readonly to: string } {
  const next = new Date(movedBy(name, by, 1));
  next.setUTCDate(next.getUTCDate() - 1);
  return { from: new Date(name).toISOString().slice(0, 10), to: next.toISOString().slice(0, 10) };
}

/** `Nov 23, 2026`, `Week of Nov 23, 2026` or `November 2026`. */
export function bucketName(name: string, by: Granularity): string {
  const date = new Date(name);
  if (by === 'month') return MONTH.format(date);
  return by === 'week' ? `Week of ${DAY.format(date)}` : DAY.format(date);
}
