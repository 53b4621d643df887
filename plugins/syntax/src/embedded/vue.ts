import { findOutside } from './braces.js';
import { Markup, valueOf, type Attribute, type Range, type Token } from './markup.js';
import { Overlay } from './overlay.js';
import { componentName, ScriptLanguage, type EmbeddedSource } from './script.js';

type Open = Extract<Token, { kind: 'open' }>;

/**
 * The scripts of a Vue component, and its template as statements behind or before them: `@click="save"` as `{save}`,
 * `<UserCard>` as `UserCard`, `v-for="user in users"` as a function of `user` around what the element holds.
 */
export function vue(text: string): EmbeddedSource {
  return new VueComponent(text, true).read() ?? new VueComponent(text, false).read() ?? EMPTY(text);
}

const EMPTY = (text: string): EmbeddedSource => ({ parser: 'javascript', text: String(new Overlay(text)) });

/** `&amp;` and the like: expressions with them are left out. */
const ENTITY = /&(?:#\w+|[a-z]+);/i;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
const SCOPE_END = '})';

class VueComponent {
  readonly #text: string;
  readonly #overlay: Overlay;
  readonly #markup: Markup;
  readonly #language = new ScriptLanguage();
  /** Functions are made of names that a template declares. */
  readonly #scoped: boolean;
  /** Elements around, with the number of their functions. */
  readonly #elements: { readonly name: string; readonly scopes: number }[] = [];
  #isBroken = false;
  #components: ReadonlySet<string> | undefined;

  constructor(text: string, scoped: boolean) {
    this.#text = text;
    this.#scoped = scoped;
    this.#overlay = new Overlay(text);
    this.#markup = new Markup(text, { braces: false });
  }

  /** Undefined where the functions of a template cannot be closed: its elements are not nested as they should be. */
  read(): EmbeddedSource | undefined {
    for (let token = this.#markup.next(); token; token = this.#markup.next()) {
      if (token.kind === 'open') this.#open(token);
      else if (token.kind === 'close') this.#close(token);
      else if (this.#elements.length > 0) this.#mustaches(token);
      if (this.#isBroken) return undefined;
    }
    if (this.#elements.some(({ scopes }) => scopes > 0)) return undefined;
    return { parser: this.#language.parser, text: String(this.#overlay) };
  }

  #open(token: Open): void {
    const name = token.name.toLowerCase();
    const isTop = this.#elements.length === 0;
    if (isTop && name === 'script') this.#script(token);
    else if (name === 'style' || name === 'script' || (isTop && !isTemplate(this.#text, token)))
      this.#markup.content(token.name);
    else this.#element(token);
  }

  #script({ name, attributes, closed }: Open): void {
    this.#language.add(this.#text, attributes);
    if (closed) return;
    const { start, end } = this.#markup.content(name);
    this.#overlay.keep(start, end);
  }

  #element(token: Open): void {
    const { name, attributes, closed, start, end } = token;
    const component = componentName(token);
    const pascal = name.includes('-') ? pascalCase(name) : '';
    if (component) {
      this.#overlay.put(start, start + 1, ';');
      this.#overlay.keep(component.start, component.end);
    } else if (this.#isComponent(pascal)) this.#overlay.put(start, start + 1 + name.length, `;${pascal}`);
    const hasEnd = !VOID.test(name) || closed;
    let scopes = 0;
    for (const attribute of attributes) scopes += this.#attribute(attribute, hasEnd);
    if (closed || !hasEnd) this.#end(scopes, end - 2, end);
    else this.#elements.push({ name, scopes });
  }

  #close({ name, start, end }: Extract<Token, { kind: 'close' }>): void {
    const at = this.#elements.findLastIndex((element) => element.name === name);
    if (at < 0) return;
    const closed = this.#elements.splice(at);
    this.#end(
      closed.reduce((sum, { scopes }) => sum + scopes, 0),
      start,
      end,
    );
  }

  #end(scopes: number, start: number, end: number): void {
    if (scopes > 0 && !this.#overlay.put(start, end, SCOPE_END.repeat(scopes))) this.#isBroken = true;
  }

  /** The number of functions that it begins. */
  #attribute(attribute: Attribute, hasEnd: boolean): number {
    const { name, start, quoted } = attribute;
    if (!/^(?:[:@#.]|v-)/.test(name) || /^v-(?:else|once|pre|cloak)$/.test(name)) return 0;
    if (!quoted) {
      const isSameName = /^(?::|v-bind:)[\w$]+$/.test(name) && attribute.end === start + name.length;
      if (isSameName) this.#sameName(attribute);
      return 0;
    }
    const value = this.#text.slice(quoted.start, quoted.end);
    if (value.trim() === '' || ENTITY.test(value)) return 0;
    if (name === 'v-for') return this.#loop(attribute, quoted, value, hasEnd);
    if (/^(?:#|v-slot)/.test(name)) return hasEnd ? this.#scope(start, quoted.end + 1, '', value) : 0;
    const isListener = /^(?:@|v-on:)/.test(name);
    this.#overlay.put(quoted.start - 2, quoted.start, isListener ? ';{' : ';(');
    this.#overlay.keep(quoted.start, quoted.end);
    this.#overlay.put(quoted.end, quoted.end + 1, isListener ? '}' : ')');
    return 0;
  }

  /** `:id` is `:id="id"`. */
  #sameName({ name, start, end }: Attribute): void {
    const colon = start + name.indexOf(':');
    this.#overlay.put(colon, colon + 1, ';');
    this.#overlay.keep(colon + 1, end);
  }

  #loop({ start }: Attribute, quoted: Range, value: string, hasEnd: boolean): number {
    const word = findOutside(value, /\s(?:in|of)\s/y);
    if (!word) return 0;
    const names = value
      .slice(0, word.index)
      .trim()
      .replace(/^\((.*)\)$/s, '$1');
    const items = value.slice(word.index + word.length).trim();
    if (hasEnd && this.#scope(start, quoted.end + 1, items, names) === 1) return 1;
    this.#overlay.put(quoted.start + word.index, quoted.start + word.index + 1, ';');
    this.#overlay.keep(quoted.start + word.index + word.length, quoted.end);
    return 0;
  }

  #scope(start: number, end: number, items: string, names: string): number {
    const code = `;${items}${items === '' ? '' : ';'}((${names})=>{`;
    return this.#scoped && this.#overlay.put(start, end, code) ? 1 : 0;
  }

  #mustaches({ start, end }: Range): void {
    let at = this.#text.indexOf('{{', start);
    while (at >= 0 && at < end) {
      const close = this.#text.indexOf('}}', at);
      if (close < 0 || close > end - 2) return;
      this.#overlay.put(at, at + 2, ';(');
      this.#overlay.keep(at + 2, close);
      this.#overlay.put(close, close + 2, ');');
      at = this.#text.indexOf('{{', close);
    }
  }

  #isComponent(name: string): boolean {
    if (name === '') return false;
    this.#components ??= new Set(this.#text.match(/\b[A-Z]\w*/g));
    return this.#components.has(name);
  }
}

/** A template in HTML, not in another language or file. */
function isTemplate(text: string, { name, attributes, closed }: Open): boolean {
  return (
    name.toLowerCase() === 'template' &&
    !closed &&
    /^(?:html)?$/.test(valueOf(text, attributes, 'lang') ?? '')
  );
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_all, first: string) => first.toUpperCase());
}
