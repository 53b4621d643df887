import { findOutside } from './braces.js';
import { Markup, type Attribute, type Range, type Token } from './markup.js';
import { Overlay } from './overlay.js';
import { componentName, ScriptLanguage, type EmbeddedSource } from './script.js';

type Open = Extract<Token, { kind: 'open' }>;

/** Declares a name that a slot gives. */
const LET = /^let:[A-Za-z_$][\w$]*$/;
/** Directives whose name is that of a value. */
const USING = /^(?:use|transition|in|out|animate):(?=[A-Za-z_$])/;
/** Directives that mean the value of their name where they have none: `bind:open` is `bind:open={open}`. */
const SAME_NAME = /^(?:bind|class|style):(?=[A-Za-z_$][\w$]*$)/;
/** The value of a store, `$count` of `count`; runes are functions of Svelte, and `'$lib/…'` is a module. */
const STORE = /(?<![\w$.'"`])\$(?=[A-Za-z_])(?!(?:state|derived|effect|props|bindable|inspect|host)\b)/g;

/**
 * The scripts of a Svelte component, and its markup as statements: `{count}` as `count`, `<Card>` as `Card`,
 * `{#each items as item}` as a function of `item` up to `{/each}`.
 */
export function svelte(text: string): EmbeddedSource {
  const overlay = new Overlay(text);
  const language = new ScriptLanguage();
  const markup = new Markup(text, { braces: 'single' });
  const blocks = new Blocks(text, overlay);
  const slots = new Slots(text, overlay);
  for (let token = markup.next(); token; token = markup.next()) {
    if (token.kind === 'open' && !token.closed && isOwner(token)) blocks.owners += 1;
    else if (token.kind === 'close' && isOwner(token)) blocks.owners -= 1;
    if (token.kind === 'braces') blocks.read(token);
    else if (token.kind === 'open' && /^(?:script|style)$/.test(token.name)) {
      if (token.name === 'script') language.add(text, token.attributes);
      const { start, end } = token.closed ? token : markup.content(token.name);
      if (token.name === 'script' && !token.closed) overlay.keep(start, end);
    } else if (token.kind === 'open' && !slots.open(token)) readElement(text, overlay, token);
    else if (token.kind === 'close') slots.close(token);
  }
  return { parser: language.parser, text: String(overlay).replaceAll(STORE, ' ') };
}

/** Whether snippets inside of an element are given to it. */
function isOwner(token: Range & { readonly name: string }): boolean {
  return token.name === 'svelte:boundary' || componentName(token) !== undefined;
}

/** The name of a component and the expressions of its attributes, as statements. */
export function readElement(text: string, overlay: Overlay, token: Open): void {
  const component = componentName(token);
  if (component) {
    overlay.put(token.start, token.start + 1, ';');
    overlay.keep(component.start, component.end);
  }
  for (const attribute of token.attributes) readAttribute(text, overlay, attribute);
}

/** Blocks of the names that `let:` declares, up to the closing tag: `<List let:row>` as `{List;let row`. */
class Slots {
  readonly #text: string;
  readonly #overlay: Overlay;
  /** Elements around that began a block, with the number of their name that is open. */
  readonly #elements: { readonly name: string; depth: number }[] = [];

  constructor(text: string, overlay: Overlay) {
    this.#text = text;
    this.#overlay = overlay;
  }

  /** Whether the element is read: it declares names. */
  open(token: Open): boolean {
    const last = this.#elements.at(-1);
    if (token.closed) return false;
    if (last?.name === token.name) last.depth += 1;
    if (!token.attributes.some(({ name }) => LET.test(name))) return false;
    this.#overlay.put(token.start - 1, token.start, ';');
    if (!this.#overlay.put(token.start, token.start + 1, '{')) return false;
    this.#elements.push({ name: token.name, depth: 1 });
    const component = componentName(token);
    if (component) this.#overlay.keep(component.start, component.end);
    for (const attribute of token.attributes) this.#attribute(attribute);
    this.#overlay.put(token.end - 1, token.end, ';');
    return true;
  }

  #attribute(attribute: Attribute): void {
    const { name, start, braces } = attribute;
    if (!LET.test(name)) return readAttribute(this.#text, this.#overlay, attribute);
    this.#overlay.put(start - 1, start, ';');
    this.#overlay.put(start, start + 4, 'let ');
    const [range] = braces;
    if (range) this.#overlay.keep(range.start + 1, range.end - 1);
    else this.#overlay.keep(start + 4, start + name.length);
  }

  close({ name, start, end }: Range & { readonly name: string }): void {
    const last = this.#elements.at(-1);
    if (last?.name !== name) return;
    last.depth -= 1;
    if (last.depth > 0) return;
    this.#overlay.put(start, end, '}');
    this.#elements.pop();
  }
}

function readAttribute(text: string, overlay: Overlay, { name, start, end, braces }: Attribute): void {
  const using = USING.exec(name) ?? (end === start + name.length ? SAME_NAME.exec(name) : null);
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
  /** What ends the function or block that each tag around began; empty for none. */
  readonly #ends: string[] = [];
  /** The number of components around, which use the snippets inside of them. */
  owners = 0;
  /** Branches are blocks, in which `{@const}` declares. */
  readonly #hasConstants: boolean;

  constructor(text: string, overlay: Overlay) {
    this.#text = text;
    this.#overlay = overlay;
    this.#hasConstants = text.includes('{@const');
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
    else if (word === 'const') this.#keepBehind(range, head.length, ';const ', ';');
    else this.#overlay.keepBetween(range.start + head.length - 1, range.end);
  }

  #begin(range: Range, word: string, rest: string, head: number): string {
    if (word === 'snippet') return this.#snippet(range, head, rest);
    if (this.#hasConstants && /^(?:if|key)$/.test(word)) {
      this.#keepBehind(range, head, ';{', ';');
      return '}';
    }
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
    const end = start + items.length;
    this.#overlay.keep(start, end);
    const parameters = declared.replaceAll(/(?<!\s)\s*([,:{}[\]=])\s*/g, '$1');
    const plain = /^[\w$]+$/.test(parameters) ? parameters : `(${parameters})`;
    if (at && this.#overlay.put(end, range.end, `;${plain}=>{`)) return '}';
    this.#overlay.put(range.end - 1, range.end, ';');
    return '';
  }

  #snippet(range: Range, head: number, rest: string): string {
    if (!this.#keepBehind(range, head, ';function ', '{')) return '';
    return this.owners > 0 ? `};${/^[\w$]*/.exec(rest)?.[0]}` : '}';
  }

  /** Writes something in place of the head of a tag and something in that of its last brace. */
  #keepBehind(range: Range, head: number, before: string, after: string): boolean {
    if (!this.#overlay.put(range.start, range.start + head, before)) return false;
    this.#overlay.keep(range.start + head, range.end - 1);
    return this.#overlay.put(range.end - 1, range.end, after);
  }

  #branch(range: Range, names: string): void {
    const end = this.#ends.pop() ?? '';
    const isOpen = this.#overlay.put(range.start, range.end, `${end};((${names})=>{`);
    if (!isOpen) this.#overlay.put(range.start, range.end, end);
    this.#ends.push(isOpen ? SCOPE_END : '');
  }

  /** `{:else}` and `{:else if ready}`. */
  #condition(range: Range, head: number): void {
    if (this.#ends.at(-1) === '}') this.#overlay.put(range.start, range.start + 3, '};{');
    const word = /^if\s/.exec(this.#text.slice(range.start + head, range.end));
    if (word) this.#overlay.keepBetween(range.start + head + word[0].length - 1, range.end);
  }

  /** Also in place of blanks before the tag: the name of a snippet may be longer. */
  #close({ start, end }: Range): void {
    const code = this.#ends.pop();
    if (!code) return;
    let from = start;
    while (end - from < code.length && /[ \t]/.test(this.#text[from - 1] ?? '')) from -= 1;
    if (!this.#overlay.put(from, end, code))
      this.#overlay.put(start, end, code.startsWith('};') ? '}' : code);
  }
}
