/**
 * A source file as a tree that is the same for all languages: what a resolver needs to bind names across files, and
 * nothing else. Comments, operators, conditions and control flow are reduced to the values they evaluate.
 *
 * Everything is plain JSON. Optional fields are left out where they are false, null or empty.
 */

/** The place of a name or construct in its file. */
export interface Located {
  /** UTF-16 offset. */
  readonly start: number;
  /** From 1. */
  readonly line: number;
}

/** Properties of the symbol with the same index. */
export interface Definition {
  /**
   * Visible to other files by the language's rule: export statements, modifiers or the spelling of the name. Members
   * need an exported container.
   */
  readonly exported: boolean;
  /** A test by its name, attribute or file convention: `TestX` in Go, `@Test`, `#[test]`, `test_x`, a gtest macro. */
  readonly test: boolean;
}

/** The parts of {@link Structure} that a resolver reads besides its symbols. */
export interface Code {
  /** One for each of `symbols`. */
  readonly definitions: readonly Definition[];
  /** Package or namespace that the file declares: `com.acme.store`, `App\\Models`, `store`. */
  readonly package?: string;
  /** Builds that have the file, as an expression of tags: `linux && !cgo` of Go. Absent: all. */
  readonly constraint?: string;
  /** Namespaces that macros of the file open, whose names are global in the files that use them: C++. */
  readonly opened?: ReadonlyArray<readonly string[]>;
  readonly body: readonly Statement[];
  /** Test cases that are calls: `it('…')`, `test('…')`. Calls inside one belong to it in answers about tests. */
  readonly testCases?: ReadonlyArray<Located & { readonly title: string; readonly end: number }>;
}

export type Statement =
  | Import
  | Export
  | Declare
  | Assign
  | Each
  | Evaluate
  | Return
  | Leave
  | FunctionStatement
  | ClassStatement
  | Alias
  | Implement
  | Block
  | Branch
  | Outer;

export interface Import extends Located {
  readonly kind: 'import';
  /** As written, without quotes: `./store.js`, `..models`, `java.util`, `crate::store`, `stdio.h`. */
  readonly module: string;
  /**
   * - `named`: `name` of the module, bound to `local`
   * - `default`: its default export
   * - `namespace`: the module itself, bound to `local`
   * - `wildcard`: all its names
   * - `load`: binds no name: `import './x'`, `#include`, `require_once`
   */
  readonly form: 'named' | 'default' | 'namespace' | 'wildcard' | 'load';
  readonly name?: string;
  readonly local?: string;
  /** Exported from this file without being bound in it: `export { a } from './b'`. */
  readonly reexport?: true;
  /** `import a.b` of Python: `local` is bound to `a`, the first part of the module; the rest are members of it. */
  readonly root?: true;
  /** Erased at run time. */
  readonly typeOnly?: true;
  /** Java's `import static`, PHP's `use function`. */
  readonly static?: true;
  /** Applies to all files of the language in the project: `global using` of C#. */
  readonly everywhere?: true;
}

/** `export { local as name }`, `export default value`, `module.exports = value`, `exports.name = value`, `__all__`. */
export interface Export extends Located {
  readonly kind: 'export';
  /** `default`; `=` for the module itself (`module.exports =`, `export =`). */
  readonly name: string;
  readonly value: Expression;
}

/** A variable, constant, field or loop variable. Fields are declarations among the members of a class. */
export interface Declare extends Located {
  readonly kind: 'declare';
  readonly name: string;
  readonly type?: Type;
  readonly value?: Expression;
  /** Index in `symbols` where the declaration is a symbol. */
  readonly symbol?: number;
  readonly static?: true;
  /** Visible in the innermost function, not in the innermost block: `var` of JavaScript. */
  readonly hoisted?: true;
  /** No other file can name it: `static` of C, an unnamed namespace. */
  readonly internal?: true;
  /** Declared here, defined in another file: `extern`. */
  readonly prototype?: true;
  /** Field that lends its members to the type: an embedded field of Go. */
  readonly embedded?: true;
  /** Another name for what the value names, be it a type or a namespace: `using a::b`, `namespace a = b::c`. */
  readonly alias?: true;
  /** The variable of this name in the scopes around, in code that a condition proves something for. */
  readonly narrows?: Narrowed;
}

/**
 * What a condition proves of a variable: it has the declared type, or that which a function tests for. Where flow is
 * ordered, of its present values.
 */
export interface Narrowed {
  /** The names of a function whose result may be a {@link Guard}. The first may be `this`. */
  readonly test?: readonly string[];
  /** The index of the variable among the arguments of the function. */
  readonly argument?: number;
  /** It is proved not to be of the type. */
  readonly excludes?: true;
}

/** `a is T`, `asserts a is T`: what the result of a function tells of a parameter. */
export interface Guard {
  readonly name: string;
  readonly type: Type;
  /** The function returns only if it is so. */
  readonly asserts?: true;
}

export interface Assign {
  readonly kind: 'assign';
  /** A name, member or index, or a pattern: a list or object of targets. Unknown names become variables of the scope. */
  readonly target: Expression;
  readonly value: Expression;
  /** The target is declared here: `const { a } = b`, `a, err := f()`. */
  readonly declares?: true;
}

/** Assigns each element of a collection: loops, comprehensions. */
export interface Each {
  readonly kind: 'each';
  readonly target: Expression;
  readonly of: Expression;
  /** `elements` (default), `keys` (`for in` of JavaScript) or `pairs` (`range` of Go with two names, `.items()`). */
  readonly yields?: 'keys' | 'pairs';
  readonly declares?: true;
}

export interface Evaluate {
  readonly kind: 'evaluate';
  readonly value: Expression;
}

export interface Return {
  readonly kind: 'return';
  readonly value: Expression;
  /** All of it holds of names where it returns this value: what they hold may be an argument. */
  readonly where?: readonly Tested[];
}

/** Ends a round of a loop or a loop, or the function: `raise`, `return` without a value. Only where flow is ordered. */
export interface Leave {
  readonly kind: 'leave';
  readonly by: 'break' | 'continue' | 'return';
}

/** What a condition tells of the value of a name. */
export interface Tested {
  readonly name: string;
  readonly test: 'null' | 'callable';
  readonly holds: boolean;
}

export interface FunctionStatement {
  readonly kind: 'function';
  readonly function: FunctionCode;
}

export interface ClassStatement {
  readonly kind: 'class';
  readonly class: ClassCode;
}

/** `type A<T> = …`, `typedef`, `using A = …`, a newtype. */
export interface Alias extends Located {
  readonly kind: 'alias';
  readonly name: string;
  readonly parameters?: readonly TypeParameter[];
  readonly type: Type;
  readonly symbol?: number;
}

/** `impl Type` and `impl Trait for Type` of Rust, `extend` of other languages: members of a type declared elsewhere. */
export interface Implement extends Located {
  readonly kind: 'implement';
  readonly type: Type;
  readonly trait?: Type;
  readonly parameters?: readonly TypeParameter[];
  readonly members: readonly Statement[];
}

/** A scope of names. Languages without block scope have none. */
export interface Block {
  readonly kind: 'block';
  readonly body: readonly Statement[];
  /** A scope of narrowed variables only: other names are declared around it. */
  readonly narrows?: true;
}

/** Alternatives of which at most one runs, in order: `if`, `switch`, `try`, loops (one arm). */
export interface Branch {
  readonly kind: 'branch';
  readonly arms: ReadonlyArray<readonly Statement[]>;
  /** One of the arms runs for certain: `if` with `else`. A loop then ends by `break` alone: `while True`. */
  readonly total?: true;
  /** The arms may run again after themselves. */
  readonly loop?: true;
  /** Runs after a loop that no `break` ended. */
  readonly otherwise?: readonly Statement[];
  /** What runs after it may also run where an arm left it: `try`. */
  readonly attempt?: true;
}

/** `global a`, `nonlocal a` of Python, `global $a` of PHP. */
export interface Outer {
  readonly kind: 'outer';
  readonly names: readonly string[];
  readonly scope: 'file' | 'function';
}

export interface TypeParameter {
  readonly name: string;
  readonly bounds?: readonly Type[];
}

export interface Parameter {
  /** A name or a pattern. */
  readonly target: Expression;
  readonly type?: Type;
  readonly default?: Expression;
  /** Takes the rest: `...a`, `*args` as `list`, `**kwargs` as `dict`. */
  readonly rest?: 'list' | 'dict';
  /** Also a field of the class: `constructor(private a: A)`. */
  readonly field?: true;
  /** Takes a variable, which the argument says too: C#. */
  readonly reference?: Reference;
}

export type Reference = 'ref' | 'out';

/** A function, method, constructor, lambda or block. */
export interface FunctionCode extends Located {
  /** Index in `symbols`; absent for an anonymous function. */
  readonly symbol?: number;
  /** Absent for an anonymous function. */
  readonly name?: string;
  /** Parameters without the receiver. */
  readonly parameters: readonly Parameter[];
  /**
   * `self` of Python and Rust, `(s *Store)` of Go, `this: T` of TypeScript and extension methods of C#. With `static`,
   * the class itself: `cls` of Python.
   */
  readonly receiver?: Parameter;
  readonly returns?: Type;
  readonly types?: readonly TypeParameter[];
  /** Absent for a signature: abstract, overload, prototype. */
  readonly body?: readonly Statement[];
  /** The type that a member declared outside its type belongs to: Go, C++ (`A::b`). */
  readonly owner?: Type;
  readonly async?: true;
  readonly generator?: true;
  /** `this` is that of the function around it. Only where functions of a language can have one of their own: JavaScript. */
  readonly arrow?: true;
  readonly static?: true;
  /** No other file can name it: `static` of C, an unnamed namespace. */
  readonly internal?: true;
  /** Read or written like a field: `get a()`, `@property`, a property of C#. */
  readonly accessor?: 'get' | 'set';
  readonly constructor_?: true;
  /** An overload of one for objects that may change, where there is such a one: `const` of C++. */
  readonly constant?: true;
  /** A member that a condition around it defines: it may leave one of its name before it. Ruby. */
  readonly conditional?: true;
  /** Callable as a method of its first parameter. */
  readonly extension?: true;
  /** The interface whose member it implements, if it is called through that alone: `void IShape.Draw()` of C#. */
  readonly explicit?: Type;
  readonly decorators?: readonly Expression[];
}

export interface ClassCode extends Located {
  /** Index in `symbols`; absent for an anonymous class. */
  readonly symbol?: number;
  readonly name?: string;
  /** The class that a class declared outside of it belongs to: `struct A::B { … }` of C++. */
  readonly owner?: Type;
  readonly form: 'class' | 'interface' | 'enum' | 'struct' | 'trait' | 'namespace';
  readonly types?: readonly TypeParameter[];
  /** The class of the class: `metaclass` of Python. */
  readonly metaclass?: Type;
  /** In order. `mixes`: modules of Ruby, traits of PHP, embedding. */
  readonly supertypes?: ReadonlyArray<{
    readonly relation: 'extends' | 'implements' | 'mixes';
    readonly type: Type;
    /** Lends its members to the class itself: `extend` of Ruby. */
    readonly static?: true;
    /** Its members come before those of the class: `prepend` of Ruby. */
    readonly first?: true;
    /** Of what mixes the module in: `base.extend A` in `included(base)` of Ruby. */
    readonly passed?: true;
    /** A supertype that is an expression: `class A extends mixin(B)`; `type` then has the names of the text. */
    readonly value?: Expression;
  }>;
  /** Fields (`declare`), methods, nested types, and statements that run with the class. */
  readonly members: readonly Statement[];
  /** Names of the fields that constructing it sets in their order: dataclasses and named tuples of Python. */
  readonly fields?: readonly string[];
  /** Reopens the class of the same name: Ruby, `partial` of C#, interface merging of TypeScript. */
  readonly reopens?: true;
  readonly decorators?: readonly Expression[];
}

export type Expression =
  /** An empty name is the root of all names: `\strlen`, `::open`. */
  /** A variable that hides a name of its scope may have a number, `name~2`. */
  | (Located & { readonly kind: 'name'; readonly name: string })
  /** `line` where the text names it. */
  | { readonly kind: 'this'; readonly line?: number }
  /**
   * The supertype's members on this object: `super`, `base`, `parent`. `call`: a function gives it, `super()` of Python.
   * `of`: the class whose supertypes are meant, where that is named: `super(A, self)`.
   */
  | { readonly kind: 'super'; readonly call?: Call; readonly of?: Type }
  /** `a.b`, `a?.b`, `a->b`, `A::b`, `A\b`. */
  | (Located & {
      readonly kind: 'member';
      readonly object: Expression;
      readonly name: string;
      /** A reference to a method, never to a field: `a::b` of Java. */
      readonly method?: true;
    })
  | {
      readonly kind: 'index';
      readonly object: Expression;
      readonly key?: Expression;
      /** Keys after the first: `a[1, 2]`. */
      readonly keys?: readonly Expression[];
      /** The element is to be changed: `&mut a[1]` of Rust. */
      readonly changes?: true;
    }
  /** The elements from one index up to another: `a[1:2]`. */
  | {
      readonly kind: 'slice';
      readonly object: Expression;
      readonly from?: Expression;
      readonly to?: Expression;
    }
  | Call
  | { readonly kind: 'function'; readonly function: FunctionCode }
  | { readonly kind: 'class'; readonly class: ClassCode }
  | Literal
  /** `items` may hold spreads. */
  | { readonly kind: 'list' | 'set'; readonly items: readonly Expression[] }
  /** `names`: those of the elements, of which some may have none (`''`): C#. */
  | { readonly kind: 'tuple'; readonly items: readonly Expression[]; readonly names?: readonly string[] }
  | { readonly kind: 'object'; readonly entries: readonly Entry[] }
  /** One of several values: `a ? b : c`, `a || b`, `match`. */
  | { readonly kind: 'choice'; readonly of: readonly Expression[] }
  | { readonly kind: 'await'; readonly value: Expression }
  | { readonly kind: 'yield'; readonly value: Expression; readonly from?: true }
  | { readonly kind: 'spread'; readonly value: Expression; readonly of: 'list' | 'dict' }
  /** The value inside an optional or a result: `?` of Rust, `!!` of others. */
  /** `pointer`: `*a`, which a class may define. */
  | { readonly kind: 'unwrap'; readonly value: Expression; readonly pointer?: true }
  /** A pointer to the value, which is not an object of its type: `&a`, `new A()` and `this` of C++. A function is its own. */
  | { readonly kind: 'address'; readonly value: Expression }
  /**
   * `keeps`: the type only checks the value, which keeps its own: `satisfies`. `fallback`: the type counts where nothing in
   * the project is known of the value.
   */
  | {
      readonly kind: 'cast';
      readonly value: Expression;
      readonly type: Type;
      readonly keeps?: true;
      readonly fallback?: true;
    }
  /** The object that a `with` or `using` statement opens. */
  | { readonly kind: 'enter'; readonly value: Expression }
  | Assign
  /** A module as a value: `require('x')`, `import('x')` (a promise of it). */
  | (Located & { readonly kind: 'import'; readonly module: string; readonly async?: true })
  /** Statements with a value: comprehensions, blocks of Rust, switch expressions. */
  | { readonly kind: 'block'; readonly body: readonly Statement[]; readonly value?: Expression }
  /** The parts are evaluated, the result has a plain type: arithmetic, comparisons, templates. */
  | {
      readonly kind: 'operation';
      readonly of: readonly Expression[];
      readonly type?: Literal['type'];
      /**
       * The operator, which may be a function of the operands' types: `+`, `+=`. The container is the first operand of
       * `in`; `del` removes an element, `del.` a member, whose name is the second operand.
       */
      readonly operator?: Located & { readonly name: string };
    };

export interface Literal {
  readonly kind: 'literal';
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'regexp' | 'other';
  /** Text of a string or integer of at most 100 characters: keys of objects and indexes. */
  readonly text?: string;
  /** What a string starts with whose rest is not written out: `f"visit_{kind}"`. Such a name may be that of a member. */
  readonly prefix?: string;
}

/** `key` is absent for a spread, whose value is a `spread`. */
export interface Entry {
  readonly key?: Expression;
  readonly value: Expression;
}

export interface Call extends Located {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  /** `new Foo()`, struct literals, `Foo.new` of Ruby; with callee `this` or `super`: another constructor. */
  readonly constructs?: true;
  /** Sets fields by name or order and calls no function: a struct literal of C. */
  readonly fields?: true;
  /** The callee is an index that may be a type argument of a function: `F[T]()` of Go. */
  readonly instantiates?: true;
  /** A call that the language makes if the callee can be called: `raise Error`. */
  readonly implicit?: true;
  readonly types?: readonly Type[];
}

export interface Argument {
  /** Name of a keyword argument, or of a field in a struct literal. */
  readonly name?: string;
  readonly value: Expression;
  readonly reference?: Reference;
}

export type Type =
  | NamedType
  | { readonly kind: 'union' | 'intersection'; readonly of: readonly Type[] }
  | { readonly kind: 'tuple'; readonly of: readonly Type[]; readonly names?: readonly string[] }
  /** Arrays, slices, varargs. */
  | { readonly kind: 'list'; readonly of: Type }
  /** Maps with a syntax of their own. */
  | { readonly kind: 'map'; readonly key: Type; readonly of: Type }
  /** Pointers, references, optionals: members of the inner type are members of it. */
  | { readonly kind: 'wrapper'; readonly of: Type }
  | {
      readonly kind: 'function';
      readonly parameters: readonly Type[];
      readonly returns?: Type;
      /** Type of `this` in the function: `(this: T) => void`. */
      readonly receiver?: Type;
    }
  /** `{ a: A; m(): B }` */
  | { readonly kind: 'object'; readonly members: readonly Statement[] }
  | { readonly kind: 'typeof'; readonly value: Expression }
  /** `T['key']`, `T[0]` */
  | { readonly kind: 'indexed'; readonly of: Type; readonly key: string }
  /** The type around it: `Self`, `this`, `static`. */
  | { readonly kind: 'self' }
  /** A type that is not modelled. `of`: the types that it names, if not that of the guard alone. */
  | { readonly kind: 'other'; readonly of?: readonly Type[]; readonly guard?: Guard };

export interface NamedType extends Located {
  readonly kind: 'named';
  /** From the outside in: `['models', 'User']`. An empty first part is the root of all names: `\App\User`, `::std`. */
  readonly path: readonly string[];
  readonly arguments?: readonly Type[];
}
