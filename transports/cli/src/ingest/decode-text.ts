import { isUtf8 } from 'node:buffer';

/** What the bytes of a text file mean. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Bytes 0x80 to 0x9F of windows-1252 (WHATWG Encoding); NUL where it has no character. The table is ours, because
 * `TextDecoder` reads these bytes as ISO-8859-1 in some releases of Node (nodejs/node#56542).
 */
const UPPER = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
/** The end of a file as DOS wrote it. */
const DOS_END = 0x1a;

/**
 * The text of a file: UTF-16 by its byte order mark, UTF-8 as it is, else windows-1252, which includes Latin-1. Undefined
 * for a binary file: with a NUL or, outside of Unicode, with a control character.
 */
export function decodeText(
  buffer: Buffer,
): { readonly content: string; readonly encoding: Encoding } | undefined {
  const mark = buffer.length >= 2 ? buffer.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return decodeUtf16(buffer, 'utf-16le');
  if (mark === 0xfeff) return decodeUtf16(buffer, 'utf-16be');
  if (buffer.includes(0)) return undefined;
  if (isUtf8(buffer)) return { content: buffer.toString('utf8'), encoding: 'utf-8' };
  if (!(buffer.at(-1) === DOS_END ? buffer.subarray(0, -1) : buffer).every(isCharacter)) return undefined;
  const content = buffer
    .toString('latin1')
    .replaceAll(/[\u0080-\u009F]/gu, (byte) => UPPER.charAt(byte.charCodeAt(0) - 0x80));
  return { content, encoding: 'windows-1252' };
}

/** A printable character or white space of windows-1252. */
function isCharacter(byte: number): boolean {
  if (byte < 0x20) return byte >= 0x09 && byte <= 0x0d;
  if (byte < 0x80) return byte !== 0x7f;
  return UPPER[byte - 0x80] !== '\0';
}

function decodeUtf16(buffer: Buffer, encoding: 'utf-16le' | 'utf-16be'): ReturnType<typeof decodeText> {
  try {
    const content = new TextDecoder(encoding, { fatal: true }).decode(buffer);
    return content.includes('\0') ? undefined : { content, encoding };
  } catch {
    return undefined; // ill-formed: a lone surrogate or half of a character
  }
}
