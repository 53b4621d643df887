import { hash } from 'node:crypto';
import { isStorable } from '@service-mcp/core';

export const MAX_PATH_LENGTH = 1024;
/** Control characters, line separators and what sets the direction of text: they make a path look like another one. */
const DECEPTIVE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** The reason to reject a path; undefined for a valid one. */
export function faultOfPath(path: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.length > MAX_PATH_LENGTH) return `the path is over ${MAX_PATH_LENGTH} characters`;
  if (!isStorable(path)) return 'the path holds a NUL character or ill-formed Unicode';
  if (path.search(DECEPTIVE) !== -1)
    return 'the path holds a control character, or one that reverses the direction of text';
  if (path.startsWith('/') || /^[a-zA-Z]:[\\/]/.test(path))
    return 'the path is absolute: give it relative to the project';
  if (path.includes('\\')) return 'the path holds a backslash: separate folders by /';
  const segments = path.split('/');
  if (segments.includes('..')) return 'the path leaves the project (..)';
  if (segments.includes('') || segments.includes('.')) return 'the path has an empty or "." segment';
  return undefined;
}

/** A path for a message: what no terminal or page should print is replaced, and a long one is cut. */
export function printablePath(path: string): string {
  return path.toWellFormed().slice(0, MAX_PATH_LENGTH).replaceAll(DECEPTIVE, '\uFFFD');
}

/** The reason to reject a content; undefined for a valid one. `bytes` is its length in UTF-8. */
export function faultOfContent(content: string, bytes: number, maxBytes: number): string | undefined {
  if (bytes > maxBytes) return `the file is over ${maxBytes} bytes`;
  if (content.includes('\0')) return 'the file is binary';
  if (!isStorable(content)) return 'the file is not well-formed Unicode';
  return undefined;
}

export function sha256(content: string): string {
  return hash('sha256', content, 'hex');
}

/** Lines as an editor counts them: a line feed at the end does not begin another line. */
export function countLines(content: string): number {
  if (content === '') return 0;
  let lines = 0;
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) lines++;
  return content.endsWith('\n') ? lines : lines + 1;
}
