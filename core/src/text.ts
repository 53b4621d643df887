/** Can every supported database store this text unchanged? Not with NUL, nor with half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
