import type { Database, Sql } from '@service-mcp/core';
import type { Folder } from '../schemas.js';

type Engine = Database['engine'];
/** A query of files. */
export type FileQuery = ReturnType<Sql>;

const MAX_FOLDERS = 1_000;

/** SQL for the place, from 1, of the next slash of a path after its first characters, whose number is bound; 0: none. */
export function slashAfter(engine: Engine): string {
  return `${engine === 'sqlite' ? 'instr' : 'strpos'}(substr(path, 1 + ?), '/')`;
}

/** The folders one level below the first `start` characters of the paths of `files`, with counts of all below them. */
export function foldersOf(
  files: FileQuery,
  { engine, sql }: Pick<Database, 'engine' | 'sql'>,
  start: number,
): Promise<Folder[]> {
  const slash = slashAfter(engine);
  const count = (state: string, name: string) =>
    sql.raw(`cast(sum(case when ${state} then 1 else 0 end) as integer) as ${name}`);
  return files
    .whereRaw(`${slash} > 0`, [start])
    .select<Folder[]>([
      sql.raw(`substr(path, 1, ? + ${slash}) as path`, [start, start]),
      count('1 = 1', 'files'),
      count("indexing_status = 'pending'", 'pending'),
      count("indexing_status = 'failed'", 'failed'),
    ])
    .groupByRaw('1')
    .orderByRaw('1')
    .limit(MAX_FOLDERS);
}
