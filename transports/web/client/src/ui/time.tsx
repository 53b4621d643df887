import { Ago } from './ago.js';

/** In the zone of the reader, by its name: days to choose and to count are those of UTC. */
const WHOLE = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** How long ago a time was; the time itself as its title, or beside it where it is `whole`. */
export function Time({ value, whole = false }: { readonly value: string; readonly whole?: boolean }) {
  const text = WHOLE.format(new Date(value));
  return (
    <time className={whole ? '' : 'muted time'} dateTime={value} title={whole ? value : text}>
      {whole ? text : <Ago value={value} />}
    </time>
  );
}
