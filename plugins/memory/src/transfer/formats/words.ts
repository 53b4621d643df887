import { NODE_TYPES, RELATION_TYPES } from '../../schemas.js';

type NodeType = (typeof NODE_TYPES)[number];
type RelationType = (typeof RELATION_TYPES)[number];

/** The node type that a foreign one names; `fact` where it names none. */
export function nodeTypeOf(word: string | undefined): NodeType {
  const found = word?.trim().toLowerCase().replace(/s$/, '');
  return NODE_TYPES.find((type) => type === found) ?? 'fact';
}

/** Stems of relations by the closest relation type; the first that matches counts. */
const STEMS: ReadonlyArray<readonly [RelationType, RegExp]> = [
  ['supersedes', /supersed|replac|obsolet|deprecat/],
  ['contradicts', /contradict|conflict|oppos|disagree/],
  ['implements', /implement|reali[sz]|fulfil|satisf/],
  ['depends_on', /depend|requir|need|(?:^|_)use|import|call|rely|relies|block|built_on/],
  ['influences', /influenc|affect|caus|leads?_to|inform|inspir|driv|impact|enabl/],
];
/** `superseded_by`, `is used by`: the relation as its target sees it. */
const PASSIVE = /(?:^|_)by$/;

/** The closest relation type of a foreign one, and whether it is meant from the target to the source. */
export function relationOf(word: string): { readonly type: RelationType; readonly reversed: boolean } {
  const known = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const exact = RELATION_TYPES.find((type) => type === known);
  const type = exact ?? STEMS.find(([, stem]) => stem.test(known))?.[0] ?? 'related_to';
  return { type, reversed: type !== 'related_to' && PASSIVE.test(known) };
}

/** The first line, at most 300 characters of it. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  if (line.length <= 300) return line;
  const cut = line.slice(0, 299);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}

/** A copy of a part: slices and matches keep the whole text in memory that they are parts of. */
export function detached(part: string): string {
  return Buffer.from(part).toString();
}

/** Of a time: `-2024` behind a day is its year. */
const OFFSET = /:\d\d(?:\.\d{1,9})?(?: ?[ap]m)? ?(?:utc|gmt)?[+-]\d{1,4}(?::\d\d)?$/i;
/** Those that `Date.parse` reads. */
const ZONE = /(?:z|utc|gmt|[ecmp][sd]t)$/i;
const REMARK = /\([^()]*\)$/;

/**
 * A time in RFC 3339, where the text is a time. Without a zone it is in UTC: ids come from times, and a file must have the
 * same ones wherever the service runs.
 */
export function timeOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const end = text.trim().replace(REMARK, '').trim();
  const hasZone = ZONE.test(end) || OFFSET.test(end);
  const read = hasZone ? [text] : [`${text}Z`, `${text} UTC`]; // the second behind AM and PM
  const time = read.map((one) => Date.parse(one)).find((one) => !Number.isNaN(one)) ?? Number.NaN;
  return Number.isNaN(time) || time < 0 ? undefined : new Date(time).toISOString();
}

/** Tags as they are stored: without `#`, once each, at most 100 characters. */
export function tagsOf(words: readonly unknown[]): string[] {
  const tags = words
    .filter((word): word is string | number => typeof word === 'string' || typeof word === 'number')
    .map((word) => String(word).trim().replace(/^#/, '').slice(0, 100).toWellFormed())
    .filter((word) => word !== '');
  return [...new Set(tags)];
}
