import type { Declarations } from './outline.js';

type Style = Pick<Declarations, 'leads' | 'comment'>;

export const SLASHES: Style = { leads: /^(?:\/\/|\/\*|\*|@\w|\[)/, comment: [/^\/\*/, /\*\//] };
export const HASHES: Style = { leads: /^(?:#|@\w)/ };
export const DASHES: Style = { leads: /^(?:--|\/\*|\*)/, comment: [/^\/\*/, /\*\//] };
/** Documentation of several lines. */
export const QUOTES = [/^(?:@\w+\s+)?(?:~[sS])?"""/, /"""/] as const;

/** A pattern behind any number of some words. */
export function after(words: string, rest: string, flags = ''): RegExp {
  return new RegExp(`^(?:(?:${words})\\s+)*${rest}`, flags);
}
