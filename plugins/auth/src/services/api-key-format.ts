import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'svc_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 10;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^svc_live_[0-9A-Za-z]{48}$/;

/** A new key: `svc_live_`, a 10-character id, a 32-character secret (190 bits), a 6-character checksum, in base62. */
export function newApiKey(): { readonly key: string; readonly keyId: string } {
  const keyId = randomText(ID_LENGTH);
  const body = PREFIX + keyId + randomText(SECRET_LENGTH);
  return { key: body + checksum(body), keyId };
}

/** Does the text have the prefix of an API key? */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The id inside a key; undefined when format or checksum are wrong. Needs no database. */
export function keyIdOf(key: string): string | undefined {
  if (!FORM.test(key)) return undefined;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== key.slice(-CHECKSUM_LENGTH)) return undefined;
  return key.slice(PREFIX.length, PREFIX.length + ID_LENGTH);
}

/** The public part of a key: everything up to its id. */
export function maskedKey(keyId: string): { readonly prefix: string; readonly masked_key: string } {
  return { prefix: PREFIX + keyId, masked_key: `${PREFIX}${keyId}****` };
}

/** `randomInt` has no modulo bias. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += ALPHABET[randomInt(ALPHABET.length)];
  return text;
}

/** CRC-32 in base62: detects typing errors and truncation; it is not a security check. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
