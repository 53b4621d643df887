/** The place of a fact in its file. */
export interface Located {
  /** UTF-16 offset of the name, or of the whole construct where there is no name. */
  readonly start: number;
  /** From 1. */
  readonly line: number;
  /** UTF-16 units, from 1. */
  readonly column: number;
  /** Index in `symbols` of the innermost symbol around it; null at the top level. */
  readonly symbol: number | null;
}

/** Properties of the symbol with the same index. */
export interface Definition {
  /**
   * Visible to other files by the language's rule: export statements, modifiers or the spelling of the name. Members
   * need an exported container. The access sections of C++ and of Ruby are not considered.
   */
  readonly exported: boolean;
  /** A test by its name or attribute: `TestX` in Go, `@Test`, `#[test]`, `test_x`, a gtest macro. */
  readonly test: boolean;
}

export interface Import extends Located {
  /** As written, without quotes: `./store.js`, `..models`, `java.util`, `crate::store`, `stdio.h`. */
  readonly module: string;
  /**
   * - `named`: `name` of the module
   * - `default`: its default export
   * - `namespace`: the module itself, bound to `local`
   * - `wildcard`: all its names
   * - `load`: binds no name: a side effect, an expression (`import('./x')`), `#include`
   */
  readonly kind: 'named' | 'default' | 'namespace' | 'wildcard' | 'load';
  /** For `named` only. */
  readonly name: string | null;
  /** The name in this file, or the exported name of a re-export; null for `wildcard` and `load`. */
  readonly local: string | null;
  /** Exported from this file without being bound in it. */
  readonly reexport: boolean;
  /** TypeScript's `import type` and `export type`: erased at run time. */
  readonly typeOnly: boolean;
}

/** An export statement that is separate from the definition: `export { local as name }`, `module.exports = local`, `__all__`. */
export interface Export extends Located {
  readonly name: string;
  readonly local: string;
}

export interface Call extends Located {
  /** UTF-16 offset of the end of the call, exclusive. */
  readonly end: number;
  /** `super`, `this` or `base` for calls of another constructor; null when the callee has no name: `f()()`. */
  readonly name: string | null;
  /** The expression before the name, white space folded, at most 200 characters: `this`, `a.b`, `open(path)`. */
  readonly receiver: string | null;
  /** Index in `calls` of the receiver, when it is a call: `open` of `open(path).read()`. */
  readonly receiverCall: number | null;
  /** `new Foo()`, struct literals of Go and Rust, `Foo.new` of Ruby. */
  readonly constructs: boolean;
  /** Number of arguments; null when the call has no argument list. */
  readonly arguments: number | null;
}

export interface Inheritance extends Located {
  /**
   * `implements` for Java, TypeScript, PHP and `impl … for` of Rust. The syntax of C# does not distinguish the two:
   * `extends`, like embedding in Go and mixins in Ruby and PHP.
   */
  readonly kind: 'extends' | 'implements';
  /** The type that inherits when it is not `symbol`: an `impl` block of Rust. */
  readonly subtype: string | null;
  /** As written, white space folded, at most 200 characters: `Base`, `Store<User>`, `models.Model`. */
  readonly type: string;
}

/** Use of a name other than a call, declaration, binding or supertype. In Ruby, a bare word may be a call. */
export interface Reference extends Located {
  /** The path from its first name: `Color.Red`, `ns.Type`, `module::CONSTANT`. At most 200 characters. */
  readonly name: string;
  readonly role: 'type' | 'value' | 'decorator';
}

/** The declared type or an assigned value of a name, or of a function's result. */
export interface Binding extends Located {
  /**
   * - `parameter` of `symbol`; those of anonymous functions inside it are `variable`
   * - `receiver`: the parameter for the object: `s` in Go's `func (s *Store)`, `self` in Rust
   * - `variable`: local, global, or a name bound by a loop, `catch` or `with`
   * - `field` of a type: declared in its body, or assigned through `owner`
   * - `return` of `symbol`: the declared type, or one returned value
   */
  readonly kind: 'parameter' | 'receiver' | 'variable' | 'field' | 'return';
  /** Null for `return`. */
  readonly name: string | null;
  /** `this` in `this.a = …`, `s` in `s.a = …`; null for a plain name. */
  readonly owner: string | null;
  /** As written, white space folded, at most 200 characters: `Map<string, User>`, `*Store`. Null when inferred. */
  readonly type: string | null;
  /** The assigned name or path: `other`, `this.db`. Null for other expressions. */
  readonly value: string | null;
  /** Index in `calls` of the call whose result is assigned or returned, with or without `await`. */
  readonly valueCall: number | null;
  /** UTF-16 offsets, end exclusive, of the innermost block or function around the binding. */
  readonly scope: { readonly start: number; readonly end: number };
}

/** A test case that is a call: `it('…')` of JavaScript, `it '…' do` of Ruby. */
export interface TestCase extends Located {
  readonly title: string;
  /** UTF-16 offset, exclusive. */
  readonly end: number;
}

/** The facts of a source file from which a resolver binds names across files. Lists are in source order. */
export interface Facts {
  /** One for each of `symbols`. */
  readonly definitions: readonly Definition[];
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  readonly calls: readonly Call[];
  readonly inheritance: readonly Inheritance[];
  readonly references: readonly Reference[];
  readonly bindings: readonly Binding[];
  readonly testCases: readonly TestCase[];
}
