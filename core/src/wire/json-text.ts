/** The text without a byte order mark at its start, which editors and shells of Windows write and JSON has no place for. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The value of a JSON text, of which a byte order mark is ignored; undefined where it is not valid JSON. */
export function readJsonText(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
}
