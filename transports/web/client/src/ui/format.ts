const NUMBER = new Intl.NumberFormat('en');
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number, ofPart: number])[] = [
  ['day', 86_400, 3_600],
  ['hour', 3_600, 60],
  ['minute', 60, 1],
];

/** 1234567 as `1,234,567`. */
export const count = (value: number): string => NUMBER.format(value);

const NAMES = new Intl.Collator('en', { numeric: true });

/** Orders by name, as people do: `service-2` before `service-10`. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  NAMES.compare(a.name, b.name);

/** `1 file`, `2 files`. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;

/** What keeps results from being whole: files and records that are not indexed yet. */
export const waiting = (pending: number): string =>
  `${counted(pending, 'entry', 'entries')} waiting to be indexed: results may be incomplete until then.`;

/** 1536 as `1.5 kB`. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3));
  const value = size / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** `3 minutes ago`; the day where it is more than a month ago. */
export function ago(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  if (seconds < -30 * 86_400) return time.slice(0, 10);
  // 59.7 minutes are an hour: nobody says 60 minutes.
  const step = STEPS.find(([, size, part]) => Math.round(Math.abs(seconds) / part) * part >= size);
  return step ? RELATIVE.format(Math.round(seconds / step[1]), step[0]) : 'just now';
}

/** `modify_signature` as `Modify signature`. */
export const words = (name: string): string => sentence(name.replaceAll('_', ' '));

/** A text with a capital letter at its start. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const LANGUAGES: Readonly<Record<string, string>> = {
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  html: 'HTML',
  javascript: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  sql: 'SQL',
  toml: 'TOML',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
};

/** The name of a language as its people write it. */
export const languageName = (id: string): string => LANGUAGES[id] ?? words(id);

/** A value of JSON as one text: a text as it is, nothing for null. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
