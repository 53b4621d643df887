import { createReadStream } from 'node:fs';
import { isRecord, readJsonText } from '@service-mcp/core/wire';
import type { SentFile } from '../ingest/read-files.js';
import { wholeLines } from './whole-lines.js';

/** A record of an export that is restored beside memory. Of a line that is not JSON, the record has no fields. */
export interface ExportRecord {
  readonly kind: 'project' | 'file';
  readonly record: Readonly<Record<string, unknown>>;
  /** From 1. */
  readonly line: number;
}

/** Spaces are as other programs write JSON. */
const START = /^\s*\{\s*"record"\s*:\s*"(project|file)"/;

/** The projects and files of an export in their order. */
export async function* exportRecords(path: string, signal: AbortSignal): AsyncGenerator<ExportRecord> {
  const bytes = createReadStream(path) as AsyncIterable<Buffer>; // no encoding is set
  let line = 0;
  for await (const text of wholeLines(bytes)) {
    signal.throwIfAborted();
    line += 1;
    const kind = START.exec(text)?.[1] as ExportRecord['kind'] | undefined; // the words of START
    if (kind === undefined) continue;
    const record = readJsonText(text);
    yield { kind, record: isRecord(record) ? record : {}, line };
  }
}

/** What is sent of a file record; undefined where it is not whole. */
export function sentFile(file: ExportRecord['record']): SentFile | undefined {
  const { path, content, language, modified_at: modifiedAt, commit_sha: commitSha } = file;
  if (typeof path !== 'string' || typeof content !== 'string') return undefined;
  return {
    path,
    content,
    ...(typeof language === 'string' && { language }),
    ...(typeof modifiedAt === 'string' && { modified_at: modifiedAt }),
    ...(typeof commitSha === 'string' && { commit_sha: commitSha }),
  };
}
