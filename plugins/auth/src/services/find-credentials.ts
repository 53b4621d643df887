import { keyIdOf } from './api-key-format.js';
import {
  ACCESS_PREFIX,
  COOKIE_PREFIX,
  INVITATION_PREFIX,
  REFRESH_PREFIX,
  RESET_PREFIX,
  SETUP_PREFIX,
} from './secrets.js';

const API_KEY = /svc_live_[0-9A-Za-z]{48}(?![0-9A-Za-z])/g;
const PREFIXES = [
  ACCESS_PREFIX,
  REFRESH_PREFIX,
  COOKIE_PREFIX,
  RESET_PREFIX,
  INVITATION_PREFIX,
  SETUP_PREFIX,
];
const TOKEN = new RegExp(`(?:${PREFIXES.join('|')})[\\w-]{43}(?![\\w-])`, 'g');

/**
 * Keys and tokens of this service in a text, valid or not any more: API keys with a correct checksum, and everything
 * with the prefix and the length of another credential. Offsets are UTF-16 units, `end` is exclusive.
 */
export function findCredentials(text: string): { readonly start: number; readonly end: number }[] {
  const keys = [...text.matchAll(API_KEY)].filter(([key]) => keyIdOf(key) !== undefined);
  return [...keys, ...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}
