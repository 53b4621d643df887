/** The lines of a text. A line ends with `\n`; offsets are UTF-16 units. */
export class Lines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Start offset of a line, counted from 0. Past the last line: the end of the text. */
  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** At most `length` units of a line, without white space at its end and without a byte order mark. */
  line(at: number, length = Infinity): string {
    const start = at === 0 && this.text.startsWith('\uFEFF') ? 1 : this.start(at);
    return this.text.slice(start, Math.min(this.start(at + 1), start + length)).trimEnd();
  }

  /** The line, from 0, that contains the offset. */
  at(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const MAX_SIGNATURE = 300;
/** Length of the declaration's text that a signature is made of. */
const MAX_DECLARATION = 4 * MAX_SIGNATURE;

/** A declaration with white space folded and without the token that opens its body, at most 300 characters. */
export function signatureOf(text: string, start: number, end: number): string {
  const folded = text
    .slice(start, Math.min(end, start + MAX_DECLARATION))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/ ?(?:\{|=>|=|:|;)$/, '');
  return clip(folded, MAX_SIGNATURE);
}

/** At most `length` units; a surrogate pair is never split. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The offset after the last character in `[start, end)` that is not white space. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

export function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xfeff;
}
