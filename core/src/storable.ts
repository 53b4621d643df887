import { isStorable } from './text.js';

/** Depth of nested values: no schema goes as far, and recursion over deeper ones overflows the stack. */
export const MAX_DEPTH = 64;

/** What not every database stores unchanged. */
export interface Unstorable {
  /** JSON pointer to it; of a key, to the object that has it. */
  readonly path: string;
  /** `text`: a string or key with NUL or half of a surrogate pair; `depth`: more than 64 levels. */
  readonly fault: 'text' | 'depth';
}

/** The first part of a JSON value that not every database stores unchanged. */
export function findUnstorable(value: unknown, depth = 0): Unstorable | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: '', fault: 'text' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return { path: '', fault: 'depth' };
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const found = findUnstorable(value[at], depth + 1);
      if (found) return { ...found, path: `/${at}${found.path}` };
    }
    return undefined;
  }
  for (const key in value) {
    if (!isStorable(key)) return { path: '', fault: 'text' };
    const found = findUnstorable((value as Record<string, unknown>)[key], depth + 1);
    if (found) return { ...found, path: `/${key}${found.path}` };
  }
  return undefined;
}
