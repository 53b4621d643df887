import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** A text as it is stored: its UTF-8 as raw DEFLATE (RFC 1951), a quarter of the bytes of source code. */
export function packText(text: string): Promise<Buffer> {
  return deflate(text);
}

/** Some 300 MB of text a second. libsql gives an ArrayBuffer, pg a Buffer. */
export function unpackText(packed: Buffer | ArrayBuffer): string {
  return inflateRawSync(packed).toString('utf8');
}
