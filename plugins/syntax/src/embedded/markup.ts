import { closingBrace } from './braces.js';

/** UTF-16 offsets, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Attribute extends Range {
  /** Empty for one that is an expression in braces. */
  readonly name: string;
  /** Between the quotes. */
  readonly quoted?: Range;
  /** Expressions with their braces. */
  readonly braces: readonly Range[];
}

export type Token =
  | (Range & {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: readonly Attribute[];
      /** Ends with `/>`. */
      readonly closed: boolean;
    })
  | (Range & { readonly kind: 'close'; readonly name: string })
  | (Range & { readonly kind: 'text' | 'braces' });

const NAME = /[A-Za-z][^\s/>]*/y;
const ATTRIBUTE_NAME = /[^\s=>/{]+/y;
const UNQUOTED = /[^\s>{]*/y;
const SPACE = /[\s/]*/y;

/** What begins an expression: `{`, also in attributes, or `{{`, in text. */
export type Braces = 'single' | 'double';

/** Reads markup as the compilers of components do, in time that grows with its length. */
export class Markup {
  readonly #text: string;
  /** None after one that nothing closes: it is a character like others. */
  #braces: Braces | undefined;
  #at: number;

  constructor(text: string, { braces, from = 0 }: { readonly braces?: Braces; readonly from?: number } = {}) {
    this.#text = text;
    this.#braces = braces;
    this.#at = from;
  }

  next(): Token | undefined {
    const start = this.#at;
    if (start >= this.#text.length) return undefined;
    return this.#expression(start) ?? this.#tag(start) ?? this.#words(start);
  }

  /** What is inside the element that was opened last, up to its closing tag, unread. */
  content(name: string): Range {
    const start = this.#at;
    const closing = new RegExp(`</${name.replaceAll(/[^\w-]/g, String.raw`\$&`)}\\s*>`, 'gi');
    closing.lastIndex = start;
    const match = closing.exec(this.#text);
    this.#at = match ? closing.lastIndex : this.#text.length;
    return { start, end: match?.index ?? this.#text.length };
  }

  #expression(start: number): Token | undefined {
    if (this.#text[start] !== '{') return undefined;
    const range = this.#braces === 'double' ? this.#mustache(start) : this.#inBraces(start);
    if (range) this.#at = range.end;
    return range && { kind: 'braces', ...range };
  }

  #mustache(start: number): Range | undefined {
    if (this.#text[start + 1] !== '{') return undefined;
    const end = this.#text.indexOf('}}', start + 2);
    if (end < 0) this.#braces = undefined;
    return end < 0 ? undefined : { start, end: end + 2 };
  }

  #inBraces(start: number): Range | undefined {
    if (this.#braces !== 'single') return undefined;
    const end = closingBrace(this.#text, start);
    if (end === undefined) this.#braces = undefined;
    return end === undefined ? undefined : { start, end };
  }

  #tag(start: number): Token | undefined {
    if (this.#text[start] !== '<') return undefined;
    if (this.#text.startsWith('<!--', start)) return this.#comment(start);
    const isClosing = this.#text[start + 1] === '/';
    const name = this.#match(NAME, start + (isClosing ? 2 : 1));
    if (name === '') return undefined;
    this.#at = start + (isClosing ? 2 : 1) + name.length;
    const attributes: Attribute[] = [];
    for (;;) {
      const space = this.#match(SPACE, this.#at);
      this.#at += space.length;
      if (this.#at >= this.#text.length || this.#text[this.#at] === '>') {
        this.#at += 1;
        const range = { start, end: Math.min(this.#at, this.#text.length) };
        if (isClosing) return { kind: 'close', name, ...range };
        return { kind: 'open', name, attributes, closed: space.endsWith('/'), ...range };
      }
      attributes.push(this.#attribute());
    }
  }

  #comment(start: number): Token {
    const end = this.#text.indexOf('-->', start + 4);
    this.#at = end < 0 ? this.#text.length : end + 3;
    return { kind: 'text', start, end: start };
  }

  #attribute(): Attribute {
    const start = this.#at;
    const whole = this.#text[start] === '{' ? this.#inBraces(start) : undefined;
    if (whole) {
      this.#at = whole.end;
      return { name: '', ...whole, braces: [whole] };
    }
    const name = this.#match(ATTRIBUTE_NAME, start);
    this.#at += name.length || 1;
    const equals = this.#match(/\s*=\s*/y, this.#at);
    if (equals === '') return { name, start, end: this.#at, braces: [] };
    this.#at += equals.length;
    const quote = this.#text[this.#at];
    if (quote === '"' || quote === "'") return { name, start, ...this.#quoted(quote) };
    const braces: Range[] = [];
    const range = quote === '{' ? this.#inBraces(this.#at) : undefined;
    if (range) braces.push(range);
    this.#at = range ? range.end : this.#at + this.#match(UNQUOTED, this.#at).length;
    return { name, start, end: this.#at, braces };
  }

  #quoted(quote: string): Pick<Attribute, 'end' | 'quoted' | 'braces'> {
    const start = this.#at + 1;
    const braces: Range[] = [];
    let at = start;
    for (; at < this.#text.length && this.#text[at] !== quote; at += 1) {
      const range = this.#text[at] === '{' ? this.#inBraces(at) : undefined;
      if (!range) continue;
      braces.push(range);
      at = range.end - 1;
    }
    this.#at = Math.min(at + 1, this.#text.length);
    return { end: this.#at, quoted: { start, end: Math.min(at, this.#text.length) }, braces };
  }

  #words(start: number): Token {
    const length = this.#match(this.#braces ? /[^<{]*/y : /[^<]*/y, start + 1).length;
    this.#at = start + 1 + length;
    return { kind: 'text', start, end: this.#at };
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.#text)?.[0] ?? '';
  }
}

/** The value of an attribute, where it is in quotes. */
export function valueOf(text: string, attributes: readonly Attribute[], name: string): string | undefined {
  const quoted = attributes.find((attribute) => attribute.name === name)?.quoted;
  return quoted && text.slice(quoted.start, quoted.end);
}
