/** The text without a byte order mark at its start, which editors and shells of Windows write and JSON has no place for. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
