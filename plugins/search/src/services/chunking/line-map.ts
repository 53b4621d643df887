/** The lines of a text. A line ends behind its `\n`; offsets are UTF-16 code units, lines count from 1. */
export class LineMap {
  readonly #starts: number[] = [0];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  get count(): number {
    const last = this.#starts.at(-1) ?? 0;
    return last === this.#text.length && this.#starts.length > 1
      ? this.#starts.length - 1
      : this.#starts.length;
  }

  /** The line that the character at `offset` is on. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  startOfLine(line: number): number {
    return this.#starts[Math.max(0, line - 1)] ?? this.#text.length;
  }

  /** Behind the line end of `line`. */
  endOfLine(line: number): number {
    return this.#starts[line] ?? this.#text.length;
  }

  /** The start of the line, where only blanks lie between it and `offset`; else `offset`. */
  snapStart(offset: number): number {
    const start = this.startOfLine(this.lineOf(offset));
    return this.#text.slice(start, offset).trim() === '' ? start : offset;
  }

  /** Behind the end of the line, where only blanks and closing punctuation lie between; else `offset`. */
  snapEnd(offset: number): number {
    if (offset > 0 && this.#text[offset - 1] === '\n') return offset;
    const end = this.endOfLine(this.lineOf(offset));
    return /^[\s;,)}\]]*$/u.test(this.#text.slice(offset, Math.min(end, offset + 40))) && end - offset <= 40
      ? end
      : offset;
  }
}
