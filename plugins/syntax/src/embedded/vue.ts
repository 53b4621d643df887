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
/** In lower case: `<Link>` is a component. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const SCOPE_END = '})';

class VueComponent {
  readonly #text: string;
  readonly #overlay: Overlay;
  readonly #markup: Markup;
  readonly #language = new ScriptLanguage();
  /** Functions are made of names that a template declares. */
  readonly #scoped: boolean;
  /** Elements around, with what ends the functions and blocks that they began. */
  readonly #elements: { readonly name: string; readonly ends: string }[] = [];
  /** The number of elements around by their names. */
  readonly #around = new Map<string, number>();
  /** Without `setup`, a template sees the options of its component, not the names of its script. */
  readonly #isOfOptions: boolean;
  #isBroken = false;
  #components: ReadonlySet<string> | undefined;

  constructor(text: string, scoped: boolean) {
    this.#text = text;
    this.#scoped = scoped;
    this.#overlay = new Overlay(text);
    this.#markup = new Markup(text, { braces: 'double' });
    this.#isOfOptions = /<script\b/i.test(text) && !/\bsetup\b/.test(text);
  }

  /** Undefined where the functions of a template cannot be closed: its elements are not nested as they should be. */
  read(): EmbeddedSource | undefined {
    for (let token = this.#markup.next(); token; token = this.#markup.next()) {
      if (token.kind === 'open') this.#open(token);
      else if (token.kind === 'close') this.#close(token);
      else if (token.kind === 'braces' && this.#elements.length > 0) this.#mustache(token);
      if (this.#isBroken) return undefined;
    }
    if (this.#elements.some(({ ends }) => ends !== '')) return undefined;
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
    const loop = attributes.findIndex((attribute) => attribute.name === 'v-for');
    const names = loop > 0 ? this.#namesOf(attributes[loop]) : undefined;
    let ends = '';
    for (const [index, attribute] of attributes.entries())
      ends = this.#attribute(attribute, hasEnd, index < loop ? names : undefined) + ends;
    if (closed || !hasEnd) this.#end(ends, closed ? end - 2 : end - 1, end);
    else {
      this.#elements.push({ name, ends });
      this.#around.set(name, (this.#around.get(name) ?? 0) + 1);
    }
  }

  #close({ name, start, end }: Extract<Token, { kind: 'close' }>): void {
    if (!this.#around.get(name)) return;
    let ends = '';
    for (let last; last?.name !== name;) {
      last = this.#elements.pop();
      if (!last) break;
      ends += last.ends;
      this.#around.set(last.name, (this.#around.get(last.name) ?? 0) - 1);
    }
    this.#end(ends, start, end);
  }

  #end(ends: string, start: number, end: number): void {
    if (ends !== '' && !this.#overlay.put(start, end, ends)) this.#isBroken = true;
  }

  /** What ends the function or block that it begins. `hidden`: names that a loop declares behind it, which hold in it, too. */
  #attribute(attribute: Attribute, hasEnd: boolean, hidden?: ReadonlySet<string>): string {
    const { name, start, quoted } = attribute;
    if (this.#isOfOptions) return '';
    if (!/^(?:[:@#.]|v-)/.test(name) || /^v-(?:else|once|pre|cloak)$/.test(name)) return '';
    if (!quoted) {
      const isSameName = /^(?::|v-bind:)[\w$]+$/.test(name) && attribute.end === start + name.length;
      if (isSameName && !hidden) this.#sameName(attribute);
      return '';
    }
    const value = this.#text.slice(quoted.start, quoted.end);
    if (value.trim() === '' || ENTITY.test(value)) return '';
    if (name === 'v-for') return this.#loop(attribute, quoted, value, hasEnd);
    if (/^(?:#|v-slot)/.test(name)) return this.#slot(attribute, quoted, value);
    const isListener = /^(?:@|v-on:)/.test(name);
    this.#overlay.put(quoted.start - 2, quoted.start, isListener ? ';{' : ';(');
    this.#overlay.keep(quoted.start, quoted.end, hidden);
    this.#overlay.put(quoted.end, quoted.end + 1, isListener ? '}' : ')');
    return '';
  }

  /** `:id` is `:id="id"`. */
  #sameName({ name, start, end }: Attribute): void {
    const colon = start + name.indexOf(':');
    this.#overlay.put(colon, colon + 1, ';');
    this.#overlay.keep(colon + 1, end);
  }

  #loop({ start }: Attribute, quoted: Range, value: string, hasEnd: boolean): string {
    const loop = readLoop(value);
    if (!loop) return '';
    const { names, items } = loop;
    const code = `;${value.slice(items.start, items.end)};((${value.slice(names.start, names.end)})=>{`;
    if (this.#scoped && hasEnd && this.#overlay.put(start, quoted.end + 1, code)) return SCOPE_END;
    const isBlock = this.#block(start, quoted, names);
    const at = quoted.start + items.start;
    this.#overlay.put(at - 1, at, ';');
    this.#overlay.keep(at, quoted.end);
    if (isBlock) this.#overlay.put(quoted.end, quoted.end + 1, ';');
    return isBlock ? '}' : '';
  }

  #slot({ start }: Attribute, quoted: Range, value: string): string {
    if (this.#scoped && this.#overlay.put(start, quoted.end + 1, `;((${value})=>{`)) return SCOPE_END;
    if (!this.#block(start, quoted, { start: 0, end: value.length })) return '';
    this.#overlay.put(quoted.end, quoted.end + 1, ';');
    return '}';
  }

  /** Begins a block with names that stay where they are, as on several lines. `names`: inside of the quotes. */
  #block(start: number, quoted: Range, names: Range): boolean {
    if (!this.#scoped || !this.#overlay.put(start, quoted.start, ';{let ')) return false;
    this.#overlay.keep(quoted.start + names.start, quoted.start + names.end);
    return true;
  }

  #namesOf(attribute: Attribute | undefined): ReadonlySet<string> | undefined {
    const value = attribute && valueOf(this.#text, [attribute], 'v-for');
    const names = value === undefined ? undefined : readLoop(value)?.names;
    return names && new Set(value?.slice(names.start, names.end).match(/[A-Za-z_$][\w$]*/g));
  }

  #mustache({ start, end }: Range): void {
    if (this.#isOfOptions) return;
    this.#overlay.put(start, start + 2, ';(');
    this.#overlay.keep(start + 2, end - 2);
    this.#overlay.put(end - 2, end, ');');
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

/** Where the names and the items stand in `(line, index) in lines`. */
function readLoop(value: string): { readonly names: Range; readonly items: Range } | undefined {
  const word = findOutside(value, /\s(?:in|of)\s/y);
  if (!word) return undefined;
  const before = value.slice(0, word.index).trimEnd();
  const open = /^\s*\(?/.exec(before)?.[0] ?? '';
  const isInBrackets = open.endsWith('(') && before.endsWith(')');
  const names = {
    start: isInBrackets ? open.length : open.length - (open.endsWith('(') ? 1 : 0),
    end: before.length - (isInBrackets ? 1 : 0),
  };
  const behind = word.index + word.length;
  const items = value.slice(behind);
  return {
    names,
    items: { start: behind + items.length - items.trimStart().length, end: value.trimEnd().length },
  };
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_all, first: string) => first.toUpperCase());
}
