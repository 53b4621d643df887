/** A JSON text with comments and trailing commas, as `tsconfig.json` may have them; undefined where it is not one. */
export function parseJson(text: string): unknown {
  try {
    const plain = text.replaceAll(COMMENT, (match) => (match.startsWith('"') ? match : ''));
    return JSON.parse(plain.replaceAll(TRAILING_COMMA, (match) => (match.startsWith('"') ? match : '')));
  } catch {
    return undefined;
  }
}

/**
 * Strings are matched too, so that what looks like a comment in one stays. A string or comment without an end is matched
 * to that of the text: it is read once.
 */
const COMMENT = /^\uFEFF|"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const TRAILING_COMMA = /"(?:[^"\\\n]|\\.)*"?|,(?=\s*[\]}])/g;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property of a value that may be an object. */
export function property(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textProperty(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' ? found : undefined;
}
