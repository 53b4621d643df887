import { splitSymbol } from '../../ui/split-symbol.js';
import { IMPORTANCE, nodeType, typeOf, type Importance, type MemoryRecord } from './kinds.js';

/** What was typed about a record, field by field as text. */
export interface Draft {
  readonly type: string;
  readonly title: string;
  readonly content: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly importance: Importance;
  /** In percent. */
  readonly confidence: string;
  /** Local times to the minute; empty: now, or without an end. */
  readonly when: string;
  readonly until: string;
  /** One `path` or `path#symbol` a line. */
  readonly code: string;
  readonly repo: string;
  readonly branch: string;
  readonly commit_sha: string;
  readonly pr_url: string;
  readonly issue_url: string;
}

export const SOURCES = ['repo', 'branch', 'commit_sha', 'pr_url', 'issue_url'] as const;

export const NEW_DRAFT: Draft = {
  type: '',
  title: '',
  content: '',
  tags: '',
  importance: 'medium',
  confidence: '100',
  when: '',
  until: '',
  code: '',
  repo: '',
  branch: '',
  commit_sha: '',
  pr_url: '',
  issue_url: '',
};

export function draftOf(record: MemoryRecord): Draft {
  const { title, content, tags, code_refs } = record;
  const both = {
    ...NEW_DRAFT,
    type: typeOf(record),
    title,
    content,
    tags: tags.join(', '),
    code: code_refs.map(lineOf).join('\n'),
  };
  if (record.kind === 'node')
    return {
      ...both,
      confidence: String(Math.round(record.confidence * 100)),
      when: localTime(record.valid_from),
      until: record.valid_to === null ? '' : localTime(record.valid_to),
    };
  return {
    ...both,
    ...Object.fromEntries(SOURCES.map((name) => [name, record.provenance[name] ?? ''])),
    importance: record.importance,
    when: localTime(record.occurred_at),
  };
}

/** What a draft began as. */
const startOf = (before: MemoryRecord | undefined): Draft => (before ? draftOf(before) : NEW_DRAFT);

/** Arguments of both kinds for the fields in which a draft differs from the record before. */
function bothArguments(draft: Draft, before: MemoryRecord | undefined) {
  const { title, content, tags, code } = draft;
  const from = startOf(before);
  return {
    ...(title !== from.title && { title }),
    ...(content !== from.content && { content }),
    ...(tags !== from.tags && {
      tags: [...new Set(itemsOf(tags, ',', before?.tags ?? [], String, String))],
    }),
    ...(code !== from.code && {
      code_refs: itemsOf(code, '\n', before?.code_refs ?? [], lineOf, splitSymbol).map(withoutMissing),
    }),
  };
}

/** The arguments of an event that a draft changes; of a new one without `before`. */
export function eventArguments(draft: Draft, before?: MemoryRecord) {
  const from = startOf(before);
  const { type, importance, when } = draft;
  const filled = SOURCES.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]]));
  return {
    ...bothArguments(draft, before),
    ...(type !== from.type && { event_type: type }),
    ...(importance !== from.importance && { importance }),
    ...(SOURCES.some((name) => draft[name] !== from[name]) && {
      provenance: Object.fromEntries(filled) as Partial<Record<(typeof SOURCES)[number], string>>, // of these names
    }),
    ...(when !== from.when && when !== '' && { occurred_at: new Date(when).toISOString() }),
  };
}

/** The arguments of knowledge that a draft changes; of a new node without `before`. */
export function nodeArguments(draft: Draft, before?: MemoryRecord) {
  const from = startOf(before);
  const { type, confidence, when, until } = draft;
  const node_type = nodeType(type);
  return {
    ...bothArguments(draft, before),
    ...(type !== from.type && node_type && { node_type }),
    ...(confidence !== from.confidence && confidence !== '' && { confidence: Number(confidence) / 100 }),
    ...(when !== from.when && when !== '' && { valid_from: new Date(when).toISOString() }),
    ...(until !== from.until && { valid_to: until === '' ? '' : new Date(until).toISOString() }),
  };
}

export const importanceOf = (value: string): Importance =>
  IMPORTANCE.find((each) => each === value) ?? 'medium';

/**
 * The items of a text with a separator: those before where their text is unchanged, since they may hold the separator
 * themselves, and what was added between them, split.
 */
function itemsOf<Item>(
  text: string,
  separator: string,
  before: readonly Item[],
  write: (item: Item) => string,
  read: (part: string) => Item,
): Item[] {
  const split = (whole: string) => whole.split(separator).map((part) => part.trim());
  const parts = split(text);
  const left = before
    .map((item) => ({ item, own: split(write(item)) }))
    .toSorted((a, b) => b.own.length - a.own.length); // of `a` and `a, b` the longer one
  const items: Item[] = [];
  for (let at = 0; at < parts.length;) {
    const found = left.findIndex(({ own }) => own.every((part, index) => part === parts[at + index]));
    const [kept] = found < 0 ? [] : left.splice(found, 1);
    const part = parts[at] ?? '';
    if (kept) items.push(kept.item);
    else if (part !== '') items.push(read(part));
    at += kept?.own.length ?? 1;
  }
  return items;
}

type CodeRef = MemoryRecord['code_refs'][number];

const lineOf = ({ path, symbol }: CodeRef) => (symbol === undefined ? path : `${path}#${symbol}`);

/** As a change takes it. */
const withoutMissing = ({ missing: _missing, ...ref }: CodeRef) => ref;

/** A time as a field of type datetime-local has it. */
function localTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
