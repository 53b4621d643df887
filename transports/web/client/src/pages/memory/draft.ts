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
  const code = code_refs.map(({ path, symbol }) => (symbol === undefined ? path : `${path}#${symbol}`));
  const both = {
    ...NEW_DRAFT,
    type: typeOf(record),
    title,
    content,
    tags: tags.join(', '),
    code: code.join('\n'),
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

/** Arguments of both kinds for the fields in which a draft differs from what it began as. */
function bothArguments(from: Draft, draft: Draft) {
  const { title, content, tags, code } = draft;
  return {
    ...(title !== from.title && { title }),
    ...(content !== from.content && { content }),
    ...(tags !== from.tags && { tags: [...new Set(parts(tags, ','))] }),
    ...(code !== from.code && { code_refs: parts(code, '\n').map(codeRef) }),
  };
}

/** The arguments of an event that a draft changes. */
export function eventArguments(from: Draft, draft: Draft) {
  const { type, importance, when } = draft;
  const filled = SOURCES.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]]));
  return {
    ...bothArguments(from, draft),
    ...(type !== from.type && { event_type: type }),
    ...(importance !== from.importance && { importance }),
    ...(SOURCES.some((name) => draft[name] !== from[name]) && {
      provenance: Object.fromEntries(filled) as Partial<Record<(typeof SOURCES)[number], string>>, // of these names
    }),
    ...(when !== from.when && when !== '' && { occurred_at: new Date(when).toISOString() }),
  };
}

/** The arguments of knowledge that a draft changes. */
export function nodeArguments(from: Draft, draft: Draft) {
  const { type, confidence, when, until } = draft;
  const node_type = nodeType(type);
  return {
    ...bothArguments(from, draft),
    ...(type !== from.type && node_type && { node_type }),
    ...(confidence !== from.confidence && { confidence: Number(confidence) / 100 }),
    ...(when !== from.when && when !== '' && { valid_from: new Date(when).toISOString() }),
    ...(until !== from.until && { valid_to: until === '' ? '' : new Date(until).toISOString() }),
  };
}

export const importanceOf = (value: string): Importance =>
  IMPORTANCE.find((each) => each === value) ?? 'medium';

function parts(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function codeRef(line: string) {
  const at = line.indexOf('#');
  return at < 0 ? { path: line } : { path: line.slice(0, at), symbol: line.slice(at + 1) };
}

/** A time as a field of type datetime-local has it. */
function localTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
