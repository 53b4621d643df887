import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The fastest level: structures shrink to a tenth of their JSON, and packing must not cost more than parsing. */
const LEVEL = 1;

/** JSON as raw DEFLATE (RFC 1951). */
export function packJson(json: string): Uint8Array {
  return deflateRawSync(json, { level: LEVEL });
}

/** `packed` as libsql and pg give it. The caller knows what was packed. */
export function unpackJson<T>(packed: Uint8Array | ArrayBuffer): T {
  return JSON.parse(inflateRawSync(packed).toString('utf8')) as T;
}
