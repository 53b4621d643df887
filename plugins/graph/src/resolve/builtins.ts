import type { code } from '@service-mcp/plugin-syntax/contract';

/**
 * Builtin types in a notation like that of TypeScript's declarations, as classes. Only members that pass on values
 * of the project are worth a line:
 *
 *     class Array<T> {
 *       @each: T
 *       @index: T
 *       map<U>(f: (T) => U): Array<U>
 *       push(...T)
 *     }
 *     class Map<K, V> extends Iterable<[K, V]> {
 *       get(K): V
 *       set(K, V): this
 *     }
 *
 * A type is a name with arguments, `T[]`, `[K, V]`, `A | B`, `(A, B) => C`, `(this: A, B) => C` or `this`. `(A) => A is B`: what a
 * function lets pass is of the type that it tests for, else `A`. `name: T` is a field. `static`
 * goes before a member; `new` is the constructor. What an argument of type `T` holds flows into the element type.
 * Operations: `@each` (loops and spreads; of pairs: a tuple), `@keys`, `@index`, `@await`, `@unwrap`, `@enter`, `@call`.
 * Functions outside of types are `function sorted<T>(T[]): T[]`, those of a module `function functools.reduce<T>(…)`.
 */
export function parseBuiltins(text: string): code.Statement[] {
  const parser = new Parser(text);
  const statements: code.Statement[] = [];
  while (!parser.done) statements.push(parser.read());
  return statements;
}

/** Parts of the notation: names with an optional `@`, `=>`, `...`, single characters. */
const TOKEN = /@?[\p{L}_$][\p{L}\p{N}_$?!]*|<<(?=\()|=>|\*\*|\.\.\.|\S/gu;
const NOWHERE = { start: 0, line: 0 };

class Parser {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = text.match(TOKEN) ?? [];
  }

  get done(): boolean {
    return this.#position >= this.#tokens.length;
  }

  #peek(): string {
    return this.#tokens[this.#position] ?? '';
  }

  #next(): string {
    const token = this.#peek();
    if (token === '') throw new Error('Builtin types end too early.');
    this.#position += 1;
    return token;
  }

  #accept(token: string): boolean {
    const found = this.#peek() === token;
    if (found) this.#position += 1;
    return found;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new Error(`Builtin types have "${found}" instead of "${token}".`);
  }

  read(): code.Statement {
    if (!this.#accept('function')) return { kind: 'class', class: this.#class() };
    let name = this.#next();
    while (this.#accept('.')) name += `.${this.#next()}`;
    return this.#function(name, false);
  }

  #class(): code.ClassCode {
    this.#expect('class');
    const name = this.#next();
    const types = this.#typeParameters();
    const supertypes = this.#accept('extends') ? this.#list('{', () => this.#type()) : [];
    if (supertypes.length === 0) this.#expect('{');
    const members: code.Statement[] = [];
    while (!this.#accept('}')) members.push(this.#member());
    return {
      ...NOWHERE,
      name,
      form: 'class',
      ...(types.length > 0 && { types }),
      supertypes: supertypes.map((type) => ({ relation: 'extends', type })),
      members,
    };
  }

  #typeParameters(): code.TypeParameter[] {
    return this.#accept('<') ? this.#list('>', () => ({ name: this.#next() })) : [];
  }

  #member(): code.Statement {
    const isStatic = this.#accept('static');
    const name = this.#next();
    if (this.#accept(':')) {
      return { ...NOWHERE, kind: 'declare', name, type: this.#type(), ...(isStatic && { static: true }) };
    }
    return this.#function(name, isStatic);
  }

  #function(name: string, isStatic: boolean): code.Statement {
    const types = this.#typeParameters();
    this.#expect('(');
    const parameters = this.#list(')', () => this.#parameter());
    return {
      kind: 'function',
      function: {
        ...NOWHERE,
        name,
        parameters,
        ...(types.length > 0 && { types }),
        ...(this.#accept(':') && { returns: this.#type() }),
        ...(isStatic && { static: true }),
        ...(name === 'new' && !isStatic && { constructor_: true }),
      },
    };
  }

  /** `name: T`, `T`, `...T`, `**T`. A name alone is a type. */
  #parameter(): code.Parameter {
    const ofNames = this.#accept('**');
    const rest = this.#accept('...');
    const named = this.#tokens[this.#position + 1] === ':';
    const name = named ? this.#next() : '_';
    if (named) this.#expect(':');
    const element = this.#type();
    return {
      target: { ...NOWHERE, kind: 'name', name },
      type: rest ? { kind: 'list', of: element } : element,
      ...(rest && { rest: 'list' }),
      ...(ofNames && { rest: 'dict' }),
    };
  }

  #type(): code.Type {
    const alternatives = [this.#single()];
    while (this.#accept('|')) alternatives.push(this.#single());
    const [first] = alternatives;
    return alternatives.length === 1 && first ? first : { kind: 'union', of: alternatives };
  }

  #single(): code.Type {
    let type = this.#plain();
    while (this.#accept('[')) {
      this.#expect(']');
      type = { kind: 'list', of: type };
    }
    return type;
  }

  #plain(): code.Type {
    if (this.#accept('[')) return { kind: 'tuple', of: this.#list(']', () => this.#type()) };
    if (this.#accept('(')) {
      const hasObject = this.#peek() === 'this' && this.#tokens[this.#position + 1] === ':';
      if (hasObject) this.#position += 2;
      const [first, ...others] = this.#list(')', () => this.#type());
      this.#expect('=>');
      const all = first ? [first, ...others] : [];
      const parameters = hasObject ? others : all;
      return {
        kind: 'function',
        parameters,
        ...(hasObject && first && { receiver: first }),
        returns: this.#result(),
      };
    }
    const name = this.#next();
    if (name === 'this') return { kind: 'self' };
    const types = this.#accept('<') ? this.#list('>', () => this.#type()) : [];
    return { ...NOWHERE, kind: 'named', path: [name], ...(types.length > 0 && { arguments: types }) };
  }

  #result(): code.Type {
    const type = this.#type();
    if (!this.#accept('is')) return type;
    return { kind: 'other', of: [type], guard: { name: '', type: this.#type() } };
  }

  #list<T>(end: string, read: () => T): T[] {
    const items: T[] = [];
    while (!this.#accept(end)) {
      items.push(read());
      if (!this.#accept(',')) {
        this.#expect(end);
        break;
      }
    }
    return items;
  }
}
