/** `14:00` of an hour, `2026-11-23` of a day, in UTC as the service counts them. */
export function timeOf(start: string, granularity: 'hour' | 'day'): string {
  return granularity === 'day' ? start.slice(0, 10) : `${start.slice(11, 16)} UTC`;
}
