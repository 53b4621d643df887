const WORD = /[A-Za-z_$][\w$]*/g;

/** A text as long as another and with the same line breaks, blank but for what is put into it, from its start to its end. */
export class Overlay {
  readonly #source: string;
  readonly #edits: { readonly start: number; readonly code: string }[] = [];
  #end = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * Writes code in place of `[start, end)`. False where there is no room for it: it is longer, a line ends there, or something
   * was written behind `start`.
   */
  put(start: number, end: number, code: string): boolean {
    const hasRoom = start >= this.#end && code.length <= end - start;
    if (!hasRoom || /[\r\n]/.test(this.#source.slice(start, end))) return false;
    this.#write(start, code);
    return true;
  }

  /** Leaves `[start, end)` as it is in the source, but for names that mean something else there. */
  keep(start: number, end: number, hidden?: ReadonlySet<string>): void {
    if (start < this.#end || start >= end) return;
    const code = this.#source.slice(start, end);
    this.#write(
      start,
      hidden ? code.replaceAll(WORD, (word) => (hidden.has(word) ? blankName(word) : word)) : code,
    );
  }

  /** {@link keep}, as statements or an expression between two delimiters of one character. */
  keepBetween(start: number, end: number): void {
    this.put(start, start + 1, ';');
    this.keep(start + 1, end - 1);
    this.put(end - 1, end, ';');
  }

  #write(start: number, code: string): void {
    this.#edits.push({ start, code });
    this.#end = start + code.length;
  }

  toString(): string {
    const parts: string[] = [];
    let at = 0;
    for (const { start, code } of this.#edits) {
      parts.push(blank(this.#source.slice(at, start)), code);
      at = start + code.length;
    }
    return parts.join('') + blank(this.#source.slice(at));
  }
}

function blankName(name: string): string {
  return '_'.repeat(name.length);
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}
