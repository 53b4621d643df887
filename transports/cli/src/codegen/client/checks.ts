import { z } from 'zod';

/** Any JSON value. */
export const anything: z.ZodType = z.custom<unknown>((value) => value !== undefined, 'is required');

/** Adds the issues that a schema has with a part of a value. */
function adopt(
  issues: z.core.$ZodRawIssue[],
  schema: z.ZodType | undefined,
  part: unknown,
  at: readonly PropertyKey[] = [],
): void {
  for (const { message, path } of schema?.safeParse(part).error?.issues ?? [])
    issues.push({ code: 'custom', message, path: [...at, ...path], input: part });
}

/** Both schemas, each over the original value. */
export function both<A extends z.ZodType, B extends z.ZodType>(
  first: A,
  second: B,
): z.ZodType<z.output<A> & z.output<B>, z.input<A> & z.input<B>> {
  const schema = anything.check((context) => {
    for (const each of [first, second]) adopt(context.issues, each, context.value);
  });
  // A custom schema passes its value on, and both have accepted it.
  return schema as z.ZodType<z.output<A> & z.output<B>, z.input<A> & z.input<B>>;
}

/** Exactly one of the schemas. */
export function exactlyOne<S extends readonly [z.ZodType, ...z.ZodType[]]>(
  ...schemas: S
): z.ZodType<z.output<S[number]>, z.input<S[number]>> {
  const schema = z.custom<unknown>(
    (value) => schemas.filter((each) => each.safeParse(value).success).length === 1,
    'must match exactly one of the schemas',
  );
  return schema as z.ZodType<z.output<S[number]>, z.input<S[number]>>; // one of them accepted it
}

/** Anything but the schema. */
export function isNot(schema: z.ZodType): z.ZodType {
  return z.custom<unknown>((value) => !schema.safeParse(value).success, 'must not match the schema');
}

/** `then` for values that match `condition`, else `otherwise`. */
export function ifThen(condition: z.ZodType, then: z.ZodType, otherwise: z.ZodType): z.ZodType {
  return anything.check((context) => {
    const { success } = condition.safeParse(context.value);
    adopt(context.issues, success ? then : otherwise, context.value);
  });
}

/** Whether a value is a JSON object. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields other than the `known` ones: the schemas of all patterns that match their names, else `rest`. */
export function otherFields(
  known: readonly string[],
  patterns: readonly (readonly [pattern: RegExp, schema: z.ZodType])[],
  rest: z.ZodType,
): z.ZodType {
  return z.custom<unknown>(isObject, 'must be object').check((context) => {
    const { value } = context;
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      const fitting = patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema);
      const schemas = fitting.length > 0 || known.includes(name) ? fitting : [rest];
      for (const schema of schemas) adopt(context.issues, schema, value[name], [name]);
    }
  });
}

/** Objects with any fields, all of one schema. */
export function dictionary<S extends z.ZodType>(
  values: S,
): z.ZodType<Record<string, z.output<S>>, Record<string, z.input<S>>> {
  return otherFields([], [], values) as z.ZodType<Record<string, z.output<S>>, Record<string, z.input<S>>>; // `otherFields` has checked each
}

/** The same object, with fields that are named like inherited members: only an object's own members count as fields. */
export function ownFields<S extends z.ZodObject>(object: S): z.ZodType<z.output<S>, z.input<S>> {
  const { shape } = object;
  const closed = object.def.catchall instanceof z.ZodNever;
  const schema = z.custom<unknown>(isObject, 'must be object').check((context) => {
    const { value } = context;
    if (!isObject(value)) return;
    const names = Object.keys(value);
    for (const name of new Set([...Object.keys(shape), ...(closed ? names : [])])) {
      const known: z.ZodType | undefined = Object.hasOwn(shape, name) ? shape[name] : z.never();
      adopt(context.issues, known, names.includes(name) ? value[name] : undefined, [name]);
    }
  });
  return schema as unknown as z.ZodType<z.output<S>, z.input<S>>; // each field was checked by its own schema
}

/** Objects that have a field with any value. */
export function havingField(name: string): z.ZodType {
  return z.custom<unknown>(
    (value) => !isObject(value) || Object.hasOwn(value, name),
    `must have the field ${JSON.stringify(name)}`,
  );
}

/** Objects that have the `needed` fields, where they have the field `name`. */
export function havingFieldsWith(name: string, needed: readonly string[]): z.ZodType {
  return z.custom<unknown>(
    (value) =>
      !isObject(value) || !Object.hasOwn(value, name) || needed.every((each) => Object.hasOwn(value, each)),
    `must have ${needed.join(', ')} where it has ${JSON.stringify(name)}`,
  );
}

/** Objects with `least` to `most` fields, whose names match a schema. */
export function havingNames(schema: z.ZodType, least: number, most: number): z.ZodType {
  return z.custom<unknown>((value) => {
    if (!isObject(value)) return true;
    const all = Object.keys(value);
    return all.length >= least && all.length <= most && all.every((name) => schema.safeParse(name).success);
  }, 'must have other fields: too few, too many, or with names that are not allowed');
}

/** Arrays whose first items are of these schemas, the rest of another. */
export function positions(schemas: readonly z.ZodType[], rest: z.ZodType): z.ZodType<unknown[], unknown[]> {
  const array = z.array(z.unknown()).check((context) => {
    for (const [index, item] of context.value.entries())
      adopt(context.issues, schemas[index] ?? rest, item, [index]);
  });
  return array;
}

/** Arrays with `least` to `most` items that match a schema. */
export function containing(schema: z.ZodType, least: number, most: number): z.ZodType {
  return z.custom<unknown>((value) => {
    const found = Array.isArray(value)
      ? value.filter((item) => schema.safeParse(item).success).length
      : least;
    return found >= least && found <= most;
  }, 'must contain other items: too few or too many of a kind');
}

/** Equal as JSON: the order of fields does not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  );
}

/** Arrays without equal items. */
export const distinct: z.ZodType = z.custom<unknown>(
  (value) =>
    !Array.isArray(value) ||
    value.every((item, index) => !value.slice(0, index).some((earlier) => isEqual(item, earlier))),
  'must have no item twice',
);

/** One object or array. */
export function exactly<T>(expected: T): z.ZodType<T, T> {
  return z.custom<T>((value) => isEqual(value, expected), 'must be equal to the constant');
}

/** Length in characters, where JavaScript counts UTF-16 code units. */
export function characters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** Whether a number is a multiple of another, computed as the service does. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return quotient === Number.parseInt(String(quotient), 10);
}

/** Whether a text is a date, such as 2026-01-31. */
export function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Whether a text is a time of day, with or without its offset. Leap seconds are only at the end of a day in UTC. */
export function isTimeOfDay(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:z|([+-])(\d\d)(?::?(\d\d))?)?$/i.exec(text);
  if (!parts) return false;
  const [hour = 0, minute = 0, second = 0, , offsetHours = 0, offsetMinutes = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (offsetHours > 23 || offsetMinutes > 59) return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  const sign = parts[4] === '-' ? -1 : 1;
  const utcMinute = minute - offsetMinutes * sign;
  const utcHour = hour - offsetHours * sign - (utcMinute < 0 ? 1 : 0);
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && second < 61;
}

/** Whether a text is a time of day with its offset. */
export function isTime(text: string): boolean {
  return isTimeOfDay(text) && /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(text);
}

/** Whether a text is a date and a time of day. */
export function isLocalDateTime(text: string): boolean {
  const [date = '', time = '', ...more] = text.split(/[t\s]/i);
  return more.length === 0 && isDate(date) && isTimeOfDay(time);
}

/** Whether a text is an RFC 3339 time that a Date can hold, in the years 0 to 9999. */
export function isDateTime(text: string): boolean {
  const at = Date.parse(text);
  const offset = isTime(text.split(/[t\s]/i)[1] ?? '');
  return isLocalDateTime(text) && offset && at >= -62_167_219_200_000 && at < 253_402_300_800_000;
}

/** The URI syntax of RFC 3986, by the expression of ajv-formats (MIT), so that both give one verdict. */
const URI =
  /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;

/** Whether a text is a URI. */
export function isUri(text: string): boolean {
  return /[/:]/.test(text) && URI.test(text);
}

/** Whether a text is a regular expression. */
export function isRegex(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false;
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
