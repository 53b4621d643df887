import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** JSON as raw DEFLATE (RFC 1951), some 50 MB of it a second. */
export function packJson(json: string): Uint8Array {
  return deflateRawSync(json);
}

/** `packed` as libsql and pg give it. The caller knows what was packed. */
export function unpackJson<T>(packed: Uint8Array | ArrayBuffer): T {
  return JSON.parse(inflateRawSync(packed).toString('utf8')) as T;
}
