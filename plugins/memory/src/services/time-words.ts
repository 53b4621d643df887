import {
  LANGUAGES,
  MONTHS,
  WEEKDAYS,
  inEnglish,
  type InEnglish,
  type TimeLanguage,
} from './time-languages.js';

/** Days of UTC that a query names. */
export interface Period {
  /** RFC 3339; included. Undefined: all that came before `until`. */
  readonly since: string | undefined;
  /** RFC 3339; not included. */
  readonly until: string;
  /** Whether the query asks for nothing but what is of that time, as `what did we decide last week` does. */
  readonly isAlone: boolean;
  /** The type of records that such a query asks for. */
  readonly type?: string;
  /** The query without its time; further times in it are in English. */
  readonly rest: string;
  /** What to look for in texts beside the time: these have no `last week` that means the week of the query. */
  readonly subject?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const names = (words: readonly string[]) => words.join('|');
/** With a day beside them, months may be abbreviated. */
const ABBREVIATED = MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|');
/** A time in English, after the word that says how it bounds. */
const TIME = new RegExp(
  String.raw`\b(?:(?<bound>since|before|until|till|up\s+to|after|between|in|on|during|from|of|within|over)\s+)?(?:the\s+)?` +
    String.raw`(?:(?<part>end|start|beginning|middle)\s+of\s+)?(?:the\s+)?` +
    String.raw`(?:(?<day>today|yesterday)|(?<date>\d{4}-\d\d-\d\d)` +
    String.raw`|(?:(?:last|past|previous)\s+(?<count>\d{1,3})\s+(?<units>day|week|month|year)s?)` +
    String.raw`|(?:(?<ago>\d{1,3}|an?)\s+(?<agoUnit>day|week|month|year)s?\s+ago)` +
    String.raw`|(?:(?<which>last|past|previous|this)\s+(?<unit>week|month|quarter|year))|(?:q(?<quarter>[1-4])(?:\s+(?<yearOfQuarter>\d{4}))?)` +
    String.raw`|(?:(?<dayFirst>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(?<monthOfDay>${ABBREVIATED})\.?(?:\s+(?<yearOfDay>\d{4}))?)` +
    String.raw`|(?:(?<dayMonth>${ABBREVIATED})\.?\s+(?<dayLast>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<yearLast>\d{4}))?)` +
    String.raw`|(?:(?<lastDay>last\s+)?(?<weekday>${names(WEEKDAYS)}))|(?:(?<month>${names(MONTHS)})(?:\s+(?<year>\d{4}))?)` +
    String.raw`|(?<wholeYear>(?:19|20)\d\d))(?![\w-])`,
  'i',
);
/** Between the two times of a span, in any of the languages. */
const SPAN = /^\s*(?:and|to|until|till|through|-|–|und|et|au?|à)\s+/i;

/**
 * The days that a query names, in one of some languages; undefined where it names none. `now` is a time of
 * UTC.
 */
export function periodOf(query: string, now: Date): Period | undefined {
  for (const language of LANGUAGES) {
    if (language.isOf?.(query) === false) continue;
    const english = inEnglish(query, language);
    if (english.text === query && language !== LANGUAGES[0]) continue;
    const period = periodIn(english, now, language);
    if (period) return period;
  }
  return undefined;
}

function periodIn(query: InEnglish, now: Date, language: TimeLanguage): Period | undefined {
  const first = timeIn(query.text, now);
  if (!first) return undefined;
  const { bound = '', text, before, after } = first;
  const last = /^(?:between|from)$/.test(bound) ? lastOfSpan(after, now) : undefined;
  const end = last?.after ?? after;
  const rest = `${before} ${end}`;
  const named = purposeOf(rest, language);
  const subject = `${query.first(before.length)} ${query.last(end.length)}`;
  const purpose = { rest, ...named, ...(first.isRelative && !named.isAlone && { subject }) };
  if (isOpen(bound)) {
    // Beside a subject, a day of the week or a span to now is a deadline as often.
    if (!purpose.isAlone && NEAR.test(text)) return undefined;
    const until = bound === 'before' && first.part !== 'end' ? first.start : first.end;
    return { since: undefined, until: until.toISOString(), ...purpose };
  }
  const tomorrow = addDays(startOfDay(now), 1);
  const since = bound === 'after' ? first.end : first.start;
  const until = last?.end ?? (/^(?:since|after)$/.test(bound) ? tomorrow : first.end);
  if (since >= until || since > now) return undefined;
  return { since: since.toISOString(), until: until.toISOString(), ...purpose };
}

const isOpen = (bound: string) => /^(?:before|until|till|up\s+to)$/.test(bound);
const NEAR = new RegExp(String.raw`\b(?:today|this|${names(WEEKDAYS)})\b`, 'i');

/** The first time in a text: its days, how it bounds, and what is around it. */
function timeIn(query: string, now: Date) {
  const match = TIME.exec(query);
  if (!match) return undefined;
  const words = Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, text]) => [name, text?.toLowerCase()]),
  );
  const days = daysOf(words, now);
  if (!days) return undefined;
  const [start, end] = days;
  const [text] = match;
  const around = { before: query.slice(0, match.index), after: query.slice(match.index + text.length) };
  const isRelative = [words['day'], words['count'], words['ago'], words['which'], words['lastDay']].some(
    Boolean,
  );
  return { start, end, text, isRelative, bound: words['bound'], part: words['part'], ...around };
}

/** The time that ends a span, at the beginning of what comes after the first one. */
function lastOfSpan(after: string, now: Date) {
  const between = SPAN.exec(after)?.[0];
  const last = between === undefined ? undefined : timeIn(`in ${after.slice(between.length)}`, now);
  return last?.before === '' ? last : undefined;
}

/** Whether a time of UTC lies in a period. */
export function isIn({ since, until }: Period, time: string): boolean {
  return (since === undefined || time >= since) && time < until;
}

/** The type of records that a word asks for. */
export function typeNamedBy(word: string, languages = LANGUAGES): string | undefined {
  const types = languages.flatMap((language) => language.types);
  return types.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1];
}

/** The type of records that a query asks for and nothing else, without a time: `what did we decide`, `known bugs`. */
export function typeAskedFor(query: string): string | undefined {
  for (const language of LANGUAGES) {
    if (language.isOf?.(query) === false) continue;
    const { isAlone, type } = purposeOf(query, language);
    if (isAlone && type !== undefined) return type;
  }
  return undefined;
}

/** Whether a query for tasks asks for those that are not done. */
export function asksForOpen(query: string): boolean {
  return LANGUAGES.some(({ open }) => wordsOf(query.toLowerCase()).some((word) => open.test(word)));
}

/** The words of a query that say of which time and type a record is, which need not be in its text. */
export function wordsOfTimeAndType(query: string, period: Period | undefined): string {
  const others = new Set(wordsOf(period?.rest ?? query));
  return wordsOf(query)
    .filter((word) => !others.has(word) || typeNamedBy(word) !== undefined)
    .join(' ');
}

const WORD = /[\p{L}\p{N}_]+/gu;

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** What a query asks for besides its time. */
function purposeOf(rest: string, language: TimeLanguage): Pick<Period, 'isAlone' | 'type'> {
  const words = wordsOf(rest.toLowerCase());
  const typeOf = (word: string) => typeNamedBy(word, [language]);
  const isAlone = words.every((word) => language.subjectless.has(word) || typeOf(word) !== undefined);
  const type = words.map(typeOf).find((found) => found !== undefined);
  return { isAlone, ...(isAlone && type !== undefined && { type }) };
}

type Words = Readonly<Record<string, string | undefined>>;

/** The first day and the one after the last. */
function daysOf(words: Words, now: Date): readonly [Date, Date] | undefined {
  const today = startOfDay(now);
  const { day, date, count, units, ago, agoUnit, which, unit, lastDay, weekday, month, year, bound } = words;
  const { wholeYear, dayFirst = words['dayLast'], monthOfDay = words['dayMonth'] } = words;
  if (day !== undefined) return dayAt(addDays(today, day === 'today' ? 0 : -1));
  if (date !== undefined) {
    const start = new Date(`${date}T00:00:00Z`);
    return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(date) ? dayAt(start) : undefined;
  }
  if (count !== undefined) return [shift(today, -Number(count), units), addDays(today, 1)];
  if (ago !== undefined)
    return spanOf(shift(today, -(Number(ago) || Number(/^an?$/.test(ago))), agoUnit), agoUnit);
  if (words['quarter'] !== undefined) {
    const of = (Number(words['quarter']) - 1) * 3;
    const current = Number(of > today.getUTCMonth());
    const inYear = Number(words['yearOfQuarter'] ?? today.getUTCFullYear() - current);
    return bound === undefined && words['yearOfQuarter'] === undefined
      ? undefined
      : spanOf(new Date(Date.UTC(inYear, of)), 'quarter');
  }
  if (which !== undefined)
    return spanOf(which === 'this' ? today : shift(startOf(today, unit), -1, unit), unit);
  if (dayFirst !== undefined) {
    const yearOf = words['yearOfDay'] ?? words['yearLast'];
    const isDate = yearOf !== undefined || /^(?:on|since|after|from)$/.test(bound ?? '');
    if (monthOfDay === 'may' && !isDate) return undefined; // a verb, too
    return dateIn(monthAt(monthOfDay), Number(dayFirst), yearOf, now);
  }
  if (wholeYear !== undefined)
    return bound === undefined ? undefined : spanOf(new Date(Date.UTC(Number(wholeYear), 0)), 'year');
  if (weekday !== undefined) {
    const back = (today.getUTCDay() - WEEKDAYS.indexOf(weekday) + 7) % 7 || (lastDay === undefined ? 0 : 7);
    // A day of the week alone is a name as often as a time.
    if (bound === undefined && lastDay === undefined) return undefined;
    return dayAt(addDays(today, -back));
  }
  if (month === undefined || (bound === undefined && year === undefined)) return undefined; // "may" is a verb, too
  const at = monthAt(month);
  const of = Number(year ?? today.getUTCFullYear() - Number(at > today.getUTCMonth()));
  return spanOf(new Date(Date.UTC(of, at)), 'month');
}

const monthAt = (name = '') => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)));

/** A day of a month, the last one before now where no year is given; undefined where the month does not have it. */
function dateIn(month: number, date: number, year: string | undefined, now: Date) {
  const inYear = (of: number) => new Date(Date.UTC(of, month, date));
  const current = inYear(Number(year ?? now.getUTCFullYear()));
  const day = year === undefined && current > now ? inYear(now.getUTCFullYear() - 1) : current;
  return day.getUTCMonth() === month && date > 0 ? dayAt(day) : undefined;
}

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
const addDays = (day: Date, days: number) => new Date(day.getTime() + days * DAY_MS);
const dayAt = (start: Date) => [start, addDays(start, 1)] as const;

/** The Monday of a week, the first of a month, a quarter or a year. */
function startOf(day: Date, unit: string | undefined): Date {
  if (unit === 'week') return addDays(day, -((day.getUTCDay() + 6) % 7));
  if (unit === 'year') return new Date(Date.UTC(day.getUTCFullYear(), 0));
  if (unit === 'quarter')
    return new Date(Date.UTC(day.getUTCFullYear(), 3 * Math.floor(day.getUTCMonth() / 3)));
  return unit === 'month' ? new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth())) : day;
}

function shift(day: Date, count: number, unit: string | undefined): Date {
  if (unit === 'year' || unit === 'quarter') return shift(day, count * (unit === 'year' ? 12 : 3), 'month');
  if (unit !== 'month') return addDays(day, count * (unit === 'week' ? 7 : 1));
  const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return addDays(first, Math.min(day.getUTCDate(), last) - 1);
}

/** The whole unit around a day. */
function spanOf(day: Date, unit: string | undefined): readonly [Date, Date] {
  const start = startOf(day, unit);
  return [
    start,
    unit === undefined || unit === 'day' || unit === 'week'
      ? addDays(start, unit === 'week' ? 7 : 1)
      : shift(start, 1, unit),
  ];
}
