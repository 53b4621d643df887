import type { Sql } from '@service-mcp/core';
import type { Ranking } from '@service-mcp/plugin-search/contract';
import { KINDS, type Kind } from './kinds.js';
import { typeNamedBy } from './time-words.js';
import { shareOfWords, wordsOfQuery } from './words-of-query.js';

/** Documents that are ranked by text where only some types count. */
export const POOL_OF_TYPES = 300;
/** The newest records of a kind that are looked at, and characters of them. */
const MAX_RECORDS = 500;
const MAX_CHARACTERS = 1024 * 1024;
const READ_AT_ONCE = 50;
/** The score of a text that has all words, below a pool whose last document has none. */
const LEAST = 0.001;

interface Asked {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string | undefined;
  readonly with_shared?: boolean;
}
/** Types of records, by their kind. */
export type Types = Readonly<Partial<Record<Kind, readonly string[]>>>;

/**
 * Scores of the newest records of some types that are not in a full pool, by the share of the words of a query that they
 * have, below the last document of the pool: the index does not know the types, and has few decisions below many notes on
 * the same subject.
 */
export async function scoresOfTypedTexts(
  sql: Sql,
  asked: Asked,
  types: Types,
  { documents }: Pick<Ranking, 'documents'>,
): Promise<Map<string, number>> {
  if (documents.length < POOL_OF_TYPES) return new Map();
  const known = new Set(documents.map(({ id }) => id));
  const least = documents.at(-1)?.score || LEAST;
  const shares = await sharesOfTypedTexts(sql, asked, types, known);
  return new Map([...shares].map(([id, share]) => [id, share * least]));
}

/**
 * The share of the words of a query that the newest records of some types have, without those that are known. A word that
 * names such a type (decided, decisions) need not be in their texts.
 */
export async function sharesOfTypedTexts(
  sql: Sql,
  { query, workspace_id, project_id, with_shared = false }: Asked,
  types: Types,
  known: { has(id: string): boolean },
  maxCharacters = MAX_CHARACTERS,
): Promise<Map<string, number>> {
  const named = new Set(Object.values(types).flat());
  const words = wordsOfQuery(query, (word) => named.has(typeNamedBy(word) ?? ''));
  const shares = new Map<string, number>();
  if (words.size === 0) return shares;
  for (const kind of ['event', 'node'] as const) {
    const wanted = types[kind] ?? [];
    if (wanted.length === 0) continue;
    const { table, time, type } = KINDS[kind];
    const newest = sql(table).where({ workspace_id, deleted: 0 }).whereIn(type, wanted);
    if (project_id !== undefined)
      void newest.where((own) => {
        void own.where({ project_id });
        if (with_shared) void own.orWhereNull('project_id');
      });
    const ids = (await newest.orderBy(time, 'desc').limit(MAX_RECORDS).pluck('id')) as string[];
    const others = ids.filter((id) => !known.has(id));
    let characters = 0;
    for (let at = 0; at < others.length && characters < maxCharacters; at += READ_AT_ONCE) {
      const texts = (await sql(table)
        .whereIn('id', others.slice(at, at + READ_AT_ONCE))
        .select('id', 'title', 'content')) as Array<{ id: string; title: string; content: string }>;
      for (const { id, ...text } of texts) {
        characters += text.title.length + text.content.length;
        const share = shareOfWords(words, text);
        if (share > 0) shares.set(id, share);
      }
    }
  }
  return shares;
}
