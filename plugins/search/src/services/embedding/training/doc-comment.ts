/** Python's docstrings, block comments, and runs of line comments. */
const COMMENT =
  /"""([\s\S]*?)"""|'''([\s\S]*?)'''|\/\*([\s\S]*?)\*\/|^((?:[ \t]*(?:\/\/|#(?!!)|--)[^\n]*(?:\n|$(?![^])))+)/m;
const MARKERS = /^[ \t]*(?:\/\/+!?|#+|--+|\*+)[ \t]?/gm;
/** The end of a sentence or paragraph, or the first tag (`@param`, `:param`). */
const SENTENCE_END = /[.!?](?:\s|$)|\n[^\S\n]*[\n@:]/;

export interface DocComment {
  readonly firstSentence: string;
  /** The code without the comment. */
  readonly rest: string;
}

/** Finds the first comment of a piece of code, in any language; undefined where it has none. */
export function findDocComment(code: string): DocComment | undefined {
  const match = COMMENT.exec(code);
  if (!match) return undefined;
  const body = match.slice(1).find((group) => group !== undefined) ?? '';
  const [firstSentence = ''] = body.replace(MARKERS, '').trim().split(SENTENCE_END, 1);
  const rest = `${code.slice(0, match.index)} ${code.slice(match.index + match[0].length)}`;
  return { firstSentence, rest };
}
