import { findOutside } from './braces.js';
import { Markup, type Attribute, type Range, type Token } from './markup.js';
import { Overlay } from './overlay.js';
import { componentName, ScriptLanguage, type EmbeddedSource } from './script.js';

/** Directives whose name is that of a value. */
const USING = /^(?:use|transition|in|out|animate):(?=[A-Za-z_$])/;
/** The value of a store, `$count` of `count`; runes are functions of Svelte. */
const STORE = /(?<![\w$.])\$(?=[A-Za-z_])(?!(?:state|derived|effect|props|bindable|inspect|host)\b)/g;

/**
 * The scripts of a Svelte component, and its markup as statements: `{count}` as `count`, `<Card>` as `Card`,
 * `{#each items as item}` as a function of `item` up to `{/each}`.
 */
export function svelte(text: string): EmbeddedSource {
  const overlay = new Overlay(text);
  const language = new ScriptLanguage();
  const markup = new Markup(text, { braces: true });
  const blocks = new Blocks(text, overlay);
  for (let token = markup.next(); token; token = markup.next()) {
    if (token.kind === 'braces') blocks.read(token);
    else if (token.kind === 'open' && /^(?:script|style)$/.test(token.name)) {
      if (token.name === 'script') language.add(text, token.attributes);
      const { start, end } = token.closed ? token : markup.content(token.name);
      if (token.name === 'script' && !token.closed) overlay.keep(start, end);
    } else if (token.kind === 'open') readElement(text, overlay, token);
  }
  return { parser: language.parser, text: String(overlay).replaceAll(STORE, ' ') };
}

/** The name of a component and the expressions of its attributes, as statements. */
export function readElement(text: string, overlay: Overlay, token: Extract<Token, { kind: 'open' }>): void {
  const component = componentName(token);
  if (component) {
    overlay.put(token.start, token.start + 1, ';');
    overlay.keep(component.start, component.end);
  }
  for (const attribute of token.attributes) readAttribute(text, overlay, attribute);
}

function readAttribute(text: string, overlay: Overlay, { name, start, braces }: Attribute): void {
  const using = USING.exec(name);
  if (using) {
    const from = start + using[0].length;
    overlay.put(from - 1, from, ';');
    overlay.keep(from, from + (/^[\w$.]+/.exec(name.slice(using[0].length))?.[0].length ?? 0));
  }
  for (const range of braces) {
    const inside = /^\s*(\{|\.\.\.|@attach\b)?/.exec(text.slice(range.start + 1, range.end));
    if (inside?.[1] === '{' && overlay.put(range.start - 1, range.start + 1, ';(')) {
      overlay.keep(range.start + 1, range.end - 1);
      overlay.put(range.end - 1, range.end, ')');
    } else {
      const skipped = inside?.[1] === undefined || inside[1] === '{' ? 0 : inside[0].length;
      overlay.keepBetween(range.start + skipped, range.end);
    }
  }
}

const BLOCK = /^\{\s*([#:/@])(\w+)\s*/;
const SCOPE_END = '})';

/** `{#each …}`, `{:else}`, `{/if}`, `{@html …}` and expressions, as statements. */
class Blocks {
  readonly #text: string;
  readonly #overlay: Overlay;
  /** What ends the function that each block around began; empty for none. */
  readonly #ends: string[] = [];

  constructor(text: string, overlay: Overlay) {
    this.#text = text;
    this.#overlay = overlay;
  }

  read(range: Range): void {
    const tag = this.#text.slice(range.start, range.end);
    const block = BLOCK.exec(tag);
    if (!block) return this.#overlay.keepBetween(range.start, range.end);
    const [head, sign, word = ''] = block;
    const rest = tag.slice(head.length, -1).trim();
    if (sign === '/') this.#close(range);
    else if (sign === '#') this.#ends.push(this.#begin(range, word, rest, head.length));
    else if (sign === ':' && (word === 'then' || word === 'catch')) this.#branch(range, rest);
    else if (sign === ':') this.#condition(range, head.length);
    else if (word === 'const') this.#overlay.put(range.start, range.end, `;const ${rest};`);
    else this.#overlay.keepBetween(range.start + head.length - 1, range.end);
  }

  #begin(range: Range, word: string, rest: string, head: number): string {
    if (word === 'snippet') return this.#overlay.put(range.start, range.end, `;function ${rest}{`) ? '}' : '';
    const divider = { each: /\sas\s/y, await: /\s(?:then|catch)\s/y }[word];
    const at = divider && findOutside(rest, divider);
    const items = at ? rest.slice(0, at.index) : rest;
    const names = at ? rest.slice(at.index + at.length).trim() : '';
    const key = findOutside(names, /\(/y);
    const declared = names.slice(0, key?.index).trim();
    if (at && this.#overlay.put(range.start, range.end, `;${items};((${declared})=>{`)) return SCOPE_END;
    const from = range.start + head;
    this.#overlay.put(from - 1, from, ';');
    const start = this.#text.indexOf(items, from);
    this.#overlay.keep(start, start + items.length);
    this.#overlay.put(range.end - 1, range.end, ';');
    return '';
  }

  #branch(range: Range, names: string): void {
    const end = this.#ends.pop() ?? '';
    const isOpen = this.#overlay.put(range.start, range.end, `${end};((${names})=>{`);
    if (!isOpen) this.#overlay.put(range.start, range.end, end);
    this.#ends.push(isOpen ? SCOPE_END : '');
  }

  /** `{:else if ready}`. */
  #condition(range: Range, head: number): void {
    const word = /^if\s/.exec(this.#text.slice(range.start + head, range.end));
    if (word) this.#overlay.keepBetween(range.start + head + word[0].length - 1, range.end);
  }

  #close(range: Range): void {
    const end = this.#ends.pop();
    if (end) this.#overlay.put(range.start, range.end, end);
  }
}
