import type { RecordChange, Sql } from '@service-mcp/core';
import { analyse } from '@service-mcp/plugin-search/contract';
import type { MemoryRecord } from './kinds.js';
import { insertRows } from './insert-rows.js';

/** The characters of a decision that are read. */
const HEAD = 2000;
const BEFORE = [
  String.raw`(?:mov(?:e|es|ed|ing)|migrat(?:e|es|ed|ing|ion)|switch(?:es|ed|ing)?|chang(?:e|es|ed|ing)|went)\b[^.;:\n]{0,60}?\bfrom`,
  String.raw`away from|instead of|rather than|in place of|replac(?:e|es|ed|ing)|no longer(?: us(?:e|es|ing))?|stop(?:s|ped)? using`,
  'drop(?:s|ped)?|abandon(?:s|ed)?|retire(?:s|d)?',
  String.raw`statt|anstelle von|ersetzt|nicht mehr|von(?=\s+\S+(?:\s+\d\S*)?\s+(?:auf|zu)\s)`,
  'au lieu d[eu]|remplace(?:nt)?',
];
const TERM = String.raw`(?<term>[\p{L}\p{N}][\p{L}\p{N}_+#-]*)`;
const ARTICLE = String.raw`(?:(?:the|our|a|an|old|der|die|das|den|dem|le|la|les)\s+)*`;
/** English, and some German and French. Bounded gaps keep them linear. */
const LEFT = [
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${BEFORE.join('|')})\s+${ARTICLE}(?!(?:by|with|from|to|it|that|this)\b)${TERM}`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])${TERM}(?:\s+\d[\d.]*)?\s+(?:is|are|was|were|has been|have been)\s+(?:replaced|retired|dropped|abandoned|switched off|shut down)(?![\p{L}\p{N}])`,
    'giu',
  ),
];
/** Before such words of a sentence, it says the opposite, or only asks. */
const DENIED =
  /(?<!\p{L})(?:not|never|\p{L}+n['’]t|keeps?|kept|stays?|stayed|whether|if|considered|nicht|kein\p{L}*|ob|ne|si)(?!\p{L})/iu;
const END_OF_SENTENCE = /[.;:\n]/u;

/** Cut first: an expression that looks for the end itself takes a time that grows with the square, in the event loop. */
function isDenied(text: string, index: number): boolean {
  return DENIED.test(text.slice(0, index).split(END_OF_SENTENCE).at(-1) ?? '');
}

/** What a decision says that is left for something else (`moved from Postgres to MySQL`), each as the index has words. */
export function leftTerms({ title, content }: Pick<MemoryRecord, 'title' | 'content'>): string[] {
  const text = `${title}\n${content}`.slice(0, HEAD);
  const terms = LEFT.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index, groups }) =>
      isDenied(text, index) ? [] : analyse(groups?.['term'] ?? '').slice(0, 1),
    ).flat(),
  );
  return [...new Set(terms)];
}

/** Brings the rows of `memory_left_terms` in line with a record, in the transaction of its change. */
export async function followLeftTerms(sql: Sql, record: MemoryRecord, change: RecordChange): Promise<void> {
  if (change !== 'created') await sql('memory_left_terms').where({ record_id: record.id }).delete();
  if (change !== 'removed') await addLeftTerms(sql, [record]);
}

/** The terms that new records leave, of those that are decisions. */
export async function addLeftTerms(sql: Sql, records: readonly Decided[]): Promise<void> {
  const rows = records.flatMap((record) =>
    ('event_type' in record ? record.event_type : record.node_type) === 'decision'
      ? leftTerms(record).map((term) => ({
          record_id: record.id,
          workspace_id: record.workspace_id,
          term,
        }))
      : [],
  );
  await insertRows(sql, 'memory_left_terms', rows);
}
type Decided = Pick<MemoryRecord, 'id' | 'workspace_id' | 'title' | 'content'> &
  ({ readonly event_type: string } | { readonly node_type: string });
