import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkipReason } from './walk.js';

/** A file found by the walk. */
export interface Candidate {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** A file as it goes to the service, field for field of `files_ingest`. */
export interface WireFile {
  readonly path: string;
  readonly content: string;
  readonly modified_at?: string;
}

/** A file that was read: text with its SHA-256 (of its UTF-8 bytes), or the reason it is left out. */
export type Read =
  | {
      readonly kind: 'text';
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly file: WireFile;
    }
  | { readonly kind: 'skipped'; readonly path: string; readonly bytes: number; readonly reason: SkipReason };

/**
 * Reads one file. Binary is what holds a NUL byte or is not valid UTF-8; over `maxBytes` is too large,
 * also where the file grew since the walk, which never makes more than `maxBytes` + 1 bytes be read.
 */
export async function readCandidate(root: string, file: Candidate, maxBytes: number): Promise<Read> {
  const skipped = (reason: SkipReason): Read => ({
    kind: 'skipped',
    path: file.path,
    bytes: file.bytes,
    reason,
  });
  if (file.bytes > maxBytes) return skipped('too_large');
  const buffer = await readAtMost(join(root, file.path), maxBytes + 1).catch(() => undefined);
  if (buffer === undefined) return skipped('unreadable');
  if (buffer.length > maxBytes) return skipped('too_large');
  if (buffer.includes(0) || !isUtf8(buffer)) return skipped('binary');
  return {
    kind: 'text',
    path: file.path,
    bytes: file.bytes,
    sha256: createHash('sha256').update(buffer).digest('hex'),
    file: { path: file.path, content: buffer.toString('utf8'), ...modifiedAt(file.modifiedAt) },
  };
}

/** A clock may be set to anything; only years that RFC 3339 can write are told. */
function modifiedAt(time: Date): { modified_at?: string } {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? { modified_at: time.toISOString() } : {};
}

async function readAtMost(path: string, most: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    let buffer = Buffer.allocUnsafe(Math.min(most, size + 1));
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length >= most) return buffer.subarray(0, length);
      if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(most, length * 2));
    }
  } finally {
    await handle.close();
  }
}

/** Reads files in order, `ahead` of them at once, so that reading goes on while the caller sends. */
export async function* readAhead(
  root: string,
  files: Iterable<Candidate>,
  options: { readonly maxBytes: number; readonly ahead: number },
): AsyncGenerator<Read> {
  const waiting: Promise<Read>[] = [];
  for (const file of files) {
    waiting.push(readCandidate(root, file, options.maxBytes));
    const first = waiting.length >= options.ahead ? waiting.shift() : undefined;
    if (first) yield await first;
  }
  for (const read of waiting) yield await read;
}
