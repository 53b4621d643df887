/** Characters of a path that an answer repeats: a key that a client sends is of any length. */
const MAX_LENGTH = 200;

/** The path of an issue, without the end of one that is too long to repeat. */
export function shownPath(path: string): string {
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH).toWellFormed()}…` : path;
}
