import type { code } from '@service-mcp/plugin-syntax/contract';
import type {
  AliasType,
  Class,
  Func,
  GenericParameter,
  Implementation,
  ImportBinding,
} from './declarations.js';
import type { SourceFile } from '../model.js';
import type { LanguageRules } from './language-rules.js';
import type { Instruction, Offer, TypeUse, Use } from './instructions.js';
import { FileWork } from './file-work.js';
import { Node } from './node.js';

/**
 * A file compiled for the engine: its scopes, declarations and the instructions that say how values move. A unit depends
 * on its file alone; names of other files, types and members are found by the engine.
 */
export class Unit {
  readonly work = new FileWork();
  readonly scope: Scope;
  /** The module as a value: `module.exports = …`. */
  assigned: Node | undefined;
  /** Named exports of export statements. */
  readonly exports = new Map<string, Binding>();
  readonly imports: ImportBinding[] = [];
  readonly functions: Func[] = [];
  readonly classes: Class[] = [];
  readonly implementations: Implementation[] = [];
  /** Those that only the solver needs are dropped once it has them. */
  instructions: Instruction[] = [];
  /** Names that no scope of the file declares, or that a class around them may inherit. */
  readonly names: FreeName[] = [];
  readonly literals = new Map<string, Node>();
  readonly uses: Use[] = [];
  readonly offers: Offer[] = [];
  readonly typeUses: TypeUse[] = [];
  /** Names of members that it assigns, where a function that an object has may hide a method. */
  readonly storedNames = new Set<string>();
  /** Nodes that hold values before the engine runs. */
  readonly seeds: Node[] = [];
  /** Classes of object types, and values of `typeof` types. */
  readonly objectTypes = new Map<code.Type, Class>();
  readonly typeofs = new Map<code.Type, Node>();
  /** Why the unit lacks code of its file, for people. */
  note: string | undefined;

  readonly path: string;
  readonly rules: LanguageRules;
  readonly packageName: string | undefined;
  /** Builds that have the file: see `code.Code`. */
  constraint: string | undefined;
  /** Namespaces that its macros open: see `code.Code`. */
  opened: ReadonlyArray<readonly string[]> = [];

  /** Texts of the declarations of the file, by symbol. */
  readonly symbols: SourceFile['symbols'];

  constructor(
    path: string,
    rules: LanguageRules,
    packageName: string | undefined,
    symbols: SourceFile['symbols'],
  ) {
    this.path = path;
    this.rules = rules;
    this.packageName = packageName;
    this.symbols = symbols;
    this.scope = new Scope('file', null, this);
  }

  /** A node that holds a function or class from the start. */
  hold(value: Func | Class): Node {
    const node = new Node();
    node.held = value;
    this.seeds.push(node);
    return node;
  }
}

/** The scope of the part of a class around another: an `impl` block of Rust. */
export function partOf(from: Scope): Scope | undefined {
  for (let scope: Scope | null = from; scope; scope = scope.parent) if (scope.class) return scope;
  return undefined;
}

/** The function that the code of a scope is in. */
export function functionAround(from: Scope): Func | undefined {
  for (let scope: Scope | null = from; scope; scope = scope.parent) if (scope.function) return scope.function;
  return undefined;
}

const NO_NAMES: ReadonlyMap<string, Variable> = new Map<string, Variable>();

export class Scope {
  #names: Map<string, Variable> | undefined;
  /** Names looked up from here that only the engine can find. */
  free: Map<string, FreeName> | undefined;
  /** Names of outer scopes that plain assignments in this one assign: `global`, `nonlocal`. */
  outer: Map<string, Variable> | undefined;
  /** Has names of narrowed variables only. */
  narrows = false;
  /** Declares generic parameters. */
  generic = false;
  /** Of a class scope. */
  class: Class | undefined;
  /** Of the scope of a function. */
  function: Func | undefined;

  readonly kind: 'file' | 'function' | 'class' | 'block';
  readonly parent: Scope | null;
  readonly unit: Unit;

  constructor(kind: 'file' | 'function' | 'class' | 'block', parent: Scope | null, unit: Unit) {
    this.kind = kind;
    this.parent = parent;
    this.unit = unit;
  }

  /** Most blocks declare none. */
  get names(): ReadonlyMap<string, Variable> {
    return this.#names ?? NO_NAMES;
  }

  declare(name: string): Variable {
    if (this.narrows && this.parent && !this.#names?.has(name)) return this.parent.declare(name);
    let variable = this.#names?.get(name);
    if (!variable) this.adopt((variable = new Variable(name, this)));
    return variable;
  }

  /** Gives a scope without names the map that they are in. */
  keepNamesIn(names: Map<string, Variable>): void {
    this.#names = names;
  }

  /** Makes a variable of another scope a name of this one. */
  adopt(variable: Variable, name = variable.name): void {
    (this.#names ??= new Map()).set(name, variable);
  }
}

/** A name in a scope with all its declarations: functions, classes, types, imports. */
export class Variable {
  /** All values it ever holds. */
  readonly node = new Node();
  declarations: Declaration[] | undefined;
  #functions: Func[] | undefined;
  type: code.Type | undefined;
  /** Index in the symbols of the file. */
  symbol: number | undefined;
  /** No other file can name it. */
  internal: true | undefined;
  /** Declared here and defined in another file. */
  prototype: true | undefined;
  /** The name that its only declaration gives it: `Base = models.Base`. */
  alias: readonly string[] | undefined;
  /** The call that it is declared with, outside functions, where functions make classes. */
  initial: code.Call | undefined;
  /** What the functions of a class become methods of that it holds without declaring them: objects, or the class. */
  binds: 'object' | 'class' | undefined;
  /** The variable around it that it stands for where a condition holds. */
  narrowed: Variable | undefined;
  /** Set as a member of the object with all global variables: `window.a = …`. */
  isGlobal: true | undefined;
  /** A parameter that is given the object with all global variables: `(function (root) {…})(window)`. */
  holdsGlobals: true | undefined;
  /** States of a variable in ordered flow, while its file is compiled. */
  versions: Node[] | undefined;

  readonly name: string;
  readonly scope: Scope;

  constructor(name: string, scope: Scope) {
    this.name = name;
    this.scope = scope;
  }

  addDeclaration(declaration: Declaration): void {
    if (this.declarations) this.declarations.push(declaration);
    else this.declarations = [declaration];
    if (declaration.kind !== 'function') return;
    if (this.#functions) this.#functions.push(declaration);
    else this.#functions = [declaration];
    declaration.overloads = this.#functions;
  }
}

export type Declaration = Func | Class | AliasType | GenericParameter | ImportBinding;

/** The meaning of a name: known in its file, or found by the engine. */
export type Binding = Variable | FreeName;

/** A name to be looked up with all files at hand. */
export class FreeName {
  readonly kind = 'free';
  readonly node = new Node();
  /** The result of the engine; null if there is none. Members are found by name in their class. */
  target: Target | MemberTarget | null = null;
  /** Values assigned to it. */
  stores: Node[] | undefined;
  /** Member accesses that start with it, for names of packages: `com.acme.Store`. */
  paths: Array<{ readonly names: readonly string[]; readonly node: Node }> | undefined;

  readonly name: string;
  readonly scope: Scope;
  /** Classes, and functions that belong to classes declared elsewhere, whose members come first, from the inside out. */
  readonly classes: ReadonlyArray<Class | Func>;
  /** Declarations of the scopes around the classes. */
  readonly lexical: Variable | undefined;
  /** Used where `this` is the class, which has members apart from those of its objects. */
  readonly isStatic: boolean;

  constructor(
    name: string,
    scope: Scope,
    classes: ReadonlyArray<Class | Func>,
    lexical: Variable | undefined,
    isStatic: boolean,
  ) {
    this.name = name;
    this.scope = scope;
    this.classes = classes;
    this.lexical = lexical;
    this.isStatic = isStatic;
  }
}

/** The target of a name or import. */
export type Target =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'module'; readonly units: readonly Unit[] }
  /** Of a module whose value is assigned as a whole: `module.exports = …`. */
  | { readonly kind: 'assigned'; readonly unit: Unit; readonly name: string | undefined }
  | {
      readonly kind: 'external';
      readonly module: string;
      readonly name: string;
      /** Of a module whose types are imported: what is called by a bare name is not one of them. */
      readonly isType?: true;
      /** That a module of which all names are imported has it is a guess. */
      readonly isGuess?: true;
    };

/** A member of a class around a bare name. */
export interface MemberTarget {
  readonly kind: 'member';
  readonly class: Class;
  /** One of the class itself, not of its objects. */
  readonly isStatic: boolean;
}
