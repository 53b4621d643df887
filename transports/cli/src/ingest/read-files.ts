import { systemCode } from '@service-mcp/core/wire';
import { createHash } from 'node:crypto';
import { readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arguments } from '../connection/connection.js';
import { decodeText, type Encoding } from './decode-text.js';
import { openUnblocked } from './open-unblocked.js';
import type { FoundFile, SkipReason } from './walk-folder.js';

/** A file as `files_ingest` takes it. */
export type SentFile = Arguments<'files_ingest'>['files'][number];

/** A file that was read: text with the SHA-256 of its UTF-8 bytes and its encoding on disk, or the reason why it is skipped. */
export type ReadFile = { readonly path: string; readonly bytes: number } & (
  | { readonly kind: 'text'; readonly sha256: string; readonly encoding: Encoding; readonly file: SentFile }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
);

/**
 * Reads one file, as UTF-8. One that holds a key of this service is skipped, and one that is not text is binary. One over
 * `maxBytes`, on disk or as UTF-8, is too large, also where it has grown since the walk: at most `maxBytes` + 1 bytes are
 * read. What took the place of the file or of a folder above it since is not read: a symbolic link, a pipe, a device.
 */
export async function readFound(root: string, found: FoundFile, maxBytes: number): Promise<ReadFile> {
  const { path, bytes } = found;
  const skipped = (reason: SkipReason): ReadFile => ({ kind: 'skipped', path, bytes, reason });
  if (bytes > maxBytes) return skipped('too_large');
  const buffer = await readInside(root, path, maxBytes + 1).catch(() => 'unreadable' as const);
  if (typeof buffer === 'string') return skipped(buffer);
  if (buffer.length > maxBytes) return skipped('too_large');
  const text = decodeText(buffer);
  if (!text) return skipped('binary');
  const { content, encoding } = text;
  const sent = encoding === 'utf-8' ? buffer : Buffer.from(content);
  if (sent.length > maxBytes) return skipped('too_large');
  if (await holdsServiceKey(content)) return skipped('service_key');
  const sha256 = createHash('sha256').update(sent).digest('hex');
  const file = { path, content, ...modifiedAt(found.modifiedAt) };
  return { kind: 'text', path, bytes, sha256, encoding, file };
}

/** Whether a text holds a key or token of this service, by its checksum or form: who reads it there can use it. */
async function holdsServiceKey(text: string): Promise<boolean> {
  if (!text.includes('svc_')) return false;
  // Imported here, because other commands start faster without it.
  const { findCredentials } = await import('@service-mcp/plugin-auth/contract');
  return findCredentials(text).length > 0;
}

/** A clock may be set to anything; only years that RFC 3339 can write are sent. */
function modifiedAt(time: Date): { modified_at?: string } {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? { modified_at: time.toISOString() } : {};
}

async function readInside(root: string, path: string, limit: number): Promise<Buffer | SkipReason> {
  const inside = join(await realpath(root), path);
  for (let look = 1; ; look += 1) {
    const found = await readAt(join(root, path), inside, limit);
    if (found !== 'symlink' || look === LOOKS) return found;
  }
}

/** An editor may move a file away while it is opened, and write another one in its place. */
const LOOKS = 2;

/** Reads a file by its path, if that leads to `inside`. */
async function readAt(path: string, inside: string, limit: number): Promise<Buffer | SkipReason> {
  const file = await openUnblocked(path).catch((thrown: unknown) => {
    if (systemCode(thrown) !== 'ELOOP') throw thrown;
  });
  if (!file) return 'symlink';
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return 'special';
    const place = await placeOf(file, path);
    if (place !== inside && place !== inside + REPLACED) return 'symlink';
    return await readAtMost(file, stats.size, limit);
  } finally {
    await file.close();
  }
}

/** What Linux adds to the place of a file that was deleted since, or replaced, as editors save. */
const REPLACED = ' (deleted)';

/** Where an open file is: as Linux says, whatever its path leads to by now; elsewhere, where its path leads. */
function placeOf(file: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path));
}

async function readAtMost(file: FileHandle, size: number, limit: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(limit, size + 1));
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    length += bytesRead;
    if (bytesRead === 0 || length >= limit) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(limit, length * 2));
  }
}

/** Reads files in order, `ahead` of them at once, so that reading continues while the caller sends. */
export async function* readAhead(
  root: string,
  files: Iterable<FoundFile>,
  options: { readonly maxBytes: number; readonly ahead: number },
): AsyncGenerator<ReadFile> {
  const waiting: Promise<ReadFile>[] = [];
  for (const file of files) {
    waiting.push(readFound(root, file, options.maxBytes));
    const first = waiting.length >= options.ahead ? waiting.shift() : undefined;
    if (first) yield await first;
  }
  for (const read of waiting) yield await read;
}
