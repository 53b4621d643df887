import { withoutByteOrderMark } from '@service-mcp/core/wire';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, of which a byte order mark is ignored; undefined where it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
}
