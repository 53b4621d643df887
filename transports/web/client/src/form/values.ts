import { textOf } from '../ui/format.js';
import { branchOf, fieldsOf, type Field } from './fields.js';

/** What a person has typed: a text for each field, lines for a list; empty is not sent. */
export type Value = string | Values | readonly Values[];
export interface Values {
  readonly [name: string]: Value;
}

/** Arguments of a call, and what is wrong with them by JSON Pointer. */
export interface Arguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly issues: ReadonlyMap<string, string>;
}

/** The arguments that the values stand for. `pointer` is where the object is that the fields belong to. */
export function toArguments(fields: readonly Field[], values: Values, pointer = ''): Arguments {
  const input: Record<string, unknown> = {};
  const issues = new Map<string, string>();
  for (const field of fields) {
    const place = `${pointer}/${field.name}`;
    const value = toArgument(field, values[field.name] ?? '', place, issues);
    if (value !== undefined) input[field.name] = value;
    else if (field.required && !hasIssueAt(issues, place)) issues.set(place, 'is required');
  }
  return { input, issues };
}

function toArgument(field: Field, value: Value, place: string, issues: Map<string, string>): unknown {
  const { kind, schema } = field;
  if (kind === 'objects') {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const inner = fieldsOf(branchOf(schema.items ?? {}));
    return value.map((each: Values, index) => {
      const made = toArguments(inner, each, `${place}/${index}`);
      for (const [at, message] of made.issues) issues.set(at, message);
      return made.input;
    });
  }
  if (kind === 'group') {
    if (typeof value === 'string' || Array.isArray(value) || isEmpty(value)) return undefined;
    const made = toArguments(fieldsOf(schema), value as Values, place); // the other forms are ruled out above
    for (const [at, message] of made.issues) issues.set(at, message);
    return made.input;
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (kind === 'list')
    return value
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => toLeaf(schema.items?.type, line.trim()));
  if (kind === 'date') {
    const time = Date.parse(value);
    if (!Number.isNaN(time)) return new Date(time).toISOString();
    issues.set(place, 'must be a date and a time');
    return undefined;
  }
  if (kind !== 'json') return toLeaf(schema.type, value);
  try {
    return JSON.parse(value) as unknown;
  } catch {
    issues.set(place, 'must be JSON, such as {"key": "value"}');
    return undefined;
  }
}

/** Text that is not a number is sent as it is: the service says what is wrong with it. */
function toLeaf(type: string | undefined, text: string): unknown {
  if (type === 'boolean') return text === 'true';
  if (type === 'integer' || type === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

/** The values that stand for arguments, for a form that is filled already. */
export function toValues(fields: readonly Field[], input: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = input[field.name];
      return value === undefined || value === null ? [] : [[field.name, toValue(field, value)]];
    }),
  );
}

function toValue({ kind, schema }: Field, value: unknown): Value {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'objects' && Array.isArray(value)) {
    const inner = fieldsOf(branchOf(schema.items ?? {}));
    return value.map((each: unknown) => toValues(inner, each as Record<string, unknown>)); // by its schema
  }
  if (kind === 'group' && isObject) return toValues(fieldsOf(schema), value as Record<string, unknown>);
  if (kind === 'list' && Array.isArray(value)) return value.map(textOf).join('\n');
  if (kind === 'date' && typeof value === 'string') return toLocalTime(value);
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value);
}

/** As an input of a local date and time has it: `2026-11-23T10:30`. */
function toLocalTime(time: string): string {
  const date = new Date(time);
  const minutes = date.getTime() - date.getTimezoneOffset() * 60_000;
  return Number.isNaN(minutes) ? '' : new Date(minutes).toISOString().slice(0, 16);
}

export function isEmpty(value: Value): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return (Array.isArray(value) ? (value as Value[]) : Object.values(value as Values)).every(isEmpty);
}

/** Whether something is wrong with a value or inside it. */
export function hasIssueAt(issues: ReadonlyMap<string, string>, place: string): boolean {
  return [...issues.keys()].some((at) => at === place || at.startsWith(`${place}/`));
}
