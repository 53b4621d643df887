import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Func } from './declarations.js';
import type { LiteralKind } from './language-rules.js';
import type { Node } from './node.js';
import type { Binding, Scope, Unit } from './program.js';

/** A name used other than by calling it. */
export interface Use {
  readonly source: number;
  /** Of the first of several uses. */
  line: number;
  readonly binding: Binding;
  /** Not only to take members of it: an object that is passed on is used by code that may be unknown. */
  isWhole: boolean;
}

/** What an export statement offers of another file: a name, or a module that the statement loads. */
export interface Offer {
  readonly value: Binding | string;
  readonly line: number;
}

export interface TypeUse {
  readonly source: number;
  readonly type: code.Type;
  readonly scope: Scope;
}

export type CallArgument = {
  readonly name: string | undefined;
  /** Absent for plain values. */
  readonly node: Node | undefined;
  readonly spread: 'list' | 'dict' | undefined;
  /** The text of a string or number that is written out, as in a type of one: `'a'`, `1`. */
  readonly literal?: string;
  readonly reference?: code.Reference;
};

export interface CallSite {
  readonly kind: 'call';
  readonly unit: Unit;
  readonly scope: Scope;
  readonly source: number;
  readonly line: number;
  /** Of what is called, for the list of unresolved calls. */
  readonly name: string | undefined;
  readonly callee: Callee;
  readonly arguments: readonly CallArgument[];
  readonly constructs: boolean;
  /** The names of the type that it constructs, where no other name may be meant. */
  readonly constructed?: readonly string[];
  /** Made by the language: never unresolved. One that constructs calls classes only. */
  readonly implicit: boolean;
  /** Made for an operation that a member stands for. */
  readonly isOperation?: true;
  /** Sets fields and calls nothing. */
  readonly fields?: true | undefined;
  readonly types: readonly code.Type[];
  /** What the call may be of besides the callee: an element of it. See `Call.instantiates`. */
  readonly element?: Node;
  readonly result: Node;
}

export type Callee =
  /** `object`: what a bare name is a member of where nothing declares it and `this` is dynamic. */
  | {
      readonly kind: 'binding';
      readonly binding: Binding;
      readonly node: Node;
      readonly object: Node | undefined;
    }
  | {
      readonly kind: 'member';
      readonly object: Node | undefined;
      readonly name: string;
      readonly isSuper: boolean;
      /** Of one of several supertypes: `A.super.b()`. */
      readonly isInherited: boolean;
      /** The chain of names as the name of a package, if it may be one. */
      readonly path: Node | undefined;
    }
  /** `this(…)` and `super(…)` in a constructor. */
  | { readonly kind: 'constructor'; readonly object: Node; readonly isSuper: boolean }
  | { readonly kind: 'value'; readonly node: Node | undefined };

/** Place of an operation in the source. A member of an object may implement the operation: it is called there. */
export interface Origin {
  readonly unit: Unit;
  readonly scope: Scope;
  readonly source: number;
  readonly line: number;
}

export type Operation =
  | 'each'
  | 'keys'
  | 'pairs'
  | 'await'
  | 'unwrap'
  | 'dereference'
  | 'address'
  | 'enter'
  | 'return';

export type Instruction =
  | CallSite
  | {
      readonly kind: 'literal';
      readonly type: LiteralKind;
      /** The key that it is, where keys flow. */
      readonly key: string | undefined;
      readonly node: Node;
      readonly unit: Unit;
    }
  | {
      readonly kind: 'container';
      readonly type: 'list' | 'tuple' | 'set' | 'object';
      /** Of the elements of a tuple. */
      readonly names: readonly string[] | undefined;
      readonly unit: Unit;
      readonly scope: Scope;
      readonly node: Node;
      /** `key` is absent for a spread and for elements of a set or with a computed key. */
      readonly items: ReadonlyArray<{
        readonly key: string | undefined;
        readonly computed?: Node | undefined;
        readonly spread: boolean;
        /** See `SiteItem`. */
        readonly accessor?: Func | undefined;
        readonly node: Node;
      }>;
    }
  /** An operator, which is a call where an operand of the project has a function of this name. */
  | {
      readonly kind: 'operator';
      readonly unit: Unit;
      readonly scope: Scope;
      readonly source: number;
      readonly line: number;
      readonly operator: string;
      /** Absent for a plain value. */
      readonly operands: ReadonlyArray<Node | undefined>;
      /** Of the result where no function runs it. */
      readonly type: LiteralKind | undefined;
      readonly result: Node;
    }
  | {
      readonly kind: 'load';
      readonly unit: Unit;
      readonly source: number;
      readonly line: number;
      readonly object: Node;
      readonly name: string;
      readonly isSuper: boolean;
      readonly scope: Scope;
      readonly node: Node;
      /** A chain of names from one that the file declares or imports. */
      readonly isOfFile?: true;
    }
  /** `super()` as a value. `type`: the class whose supertypes are meant, else that around it. */
  | {
      readonly kind: 'super';
      readonly unit: Unit;
      readonly scope: Scope;
      readonly type: code.Type | undefined;
      readonly object: Node;
      readonly node: Node;
    }
  | {
      readonly kind: 'store';
      readonly unit: Unit;
      /** Where a descriptor may take the value. */
      readonly origin?: Origin;
      readonly object: Node;
      readonly name: string;
      readonly value: Node;
    }
  | {
      readonly kind: 'load_index';
      readonly unit: Unit;
      /** Absent in patterns. */
      readonly origin: Origin | undefined;
      /** Of a pattern that takes what a loop over the object gives. */
      readonly loop?: Origin | undefined;
      readonly object: Node;
      readonly key: string | undefined;
      /** A key that is not written out. */
      readonly computed: Node | undefined;
      /** All keys, for the member of an object. */
      readonly arguments: readonly CallArgument[];
      readonly changes: boolean;
      readonly node: Node;
    }
  | {
      readonly kind: 'store_index';
      readonly unit: Unit;
      readonly origin: Origin;
      readonly object: Node;
      readonly key: string | undefined;
      readonly computed: Node | undefined;
      readonly arguments: readonly CallArgument[];
      readonly value: Node;
    }
  /** `to[key] = from[key]`: whatever the key is, it stays the same. */
  | { readonly kind: 'copy'; readonly from: Node; readonly to: Node }
  | {
      readonly kind: 'slice';
      readonly unit: Unit;
      /** Absent in patterns. */
      readonly origin: Origin | undefined;
      readonly object: Node;
      /** As for `slice` of arrays in JavaScript; NaN where it is not known. */
      readonly from: number;
      readonly to: number | undefined;
      readonly node: Node;
    }
  | {
      readonly kind: 'operation';
      readonly unit: Unit;
      readonly origin: Origin;
      readonly operation: Operation;
      readonly value: Node;
      readonly node: Node;
    }
  /** The node has a declared type; `value` initializes it. `fallback`: where it has no other value of the project. */
  | {
      readonly kind: 'typed';
      readonly scope: Scope;
      readonly type: code.Type;
      readonly node: Node;
      readonly value: Node | undefined;
      readonly fallback?: true;
    }
  /** The node has the class of a type. */
  | { readonly kind: 'class_of'; readonly scope: Scope; readonly type: code.Type; readonly node: Node }
  /** A variable where a function has tested it: see `Guard` of the code. */
  | {
      readonly kind: 'narrowed';
      readonly scope: Scope;
      readonly test: readonly string[];
      readonly argument: number;
      readonly excludes: boolean;
      readonly value: Node;
      readonly node: Node;
    }
  /** The values of a variable that are of a type, or not. */
  | {
      readonly kind: 'proved';
      readonly scope: Scope;
      readonly type: code.Type;
      readonly excludes: boolean;
      readonly value: Node;
      readonly node: Node;
    }
  | {
      readonly kind: 'module';
      readonly unit: Unit;
      readonly source: number;
      readonly line: number;
      readonly module: string;
      readonly isAsync: boolean;
      /** See `Use.isWhole`. */
      readonly isWhole: boolean;
      readonly node: Node;
    }
  | { readonly kind: 'decorated'; readonly call: CallSite; readonly from: Node; readonly to: Node };
