import type { code } from '@service-mcp/plugin-syntax/contract';
import type { LanguageRules } from './language-rules.js';
import type { Instruction, TypeUse, Use } from './instructions.js';
import { Node } from './node.js';

/**
 * A file compiled for the engine: its scopes, declarations and the instructions that say how values move. A unit depends
 * on its file alone; names of other files, types and members are found by the engine.
 */
export class Unit {
  readonly scope: Scope;
  /** What the module itself is: the value of `module.exports = …`. */
  assigned: Node | undefined;
  /** Named exports of export statements. */
  readonly exports = new Map<string, Binding>();
  readonly imports: ImportBinding[] = [];
  readonly functions: Func[] = [];
  readonly classes: Class[] = [];
  readonly implementations: Implementation[] = [];
  readonly instructions: Instruction[] = [];
  /** Names that no scope of the file declares, or that a class around them may inherit. */
  readonly names: FreeName[] = [];
  readonly literals = new Map<string, Node>();
  readonly uses: Use[] = [];
  readonly typeUses: TypeUse[] = [];
  /** Nodes that hold values before the engine runs. */
  readonly seeds: Node[] = [];
  /** Classes of object types, and values of `typeof` types. */
  readonly objectTypes = new Map<code.Type, Class>();
  readonly typeofs = new Map<code.Type, Node>();

  readonly path: string;
  readonly rules: LanguageRules;
  readonly packageName: string | undefined;

  constructor(path: string, rules: LanguageRules, packageName: string | undefined) {
    this.path = path;
    this.rules = rules;
    this.packageName = packageName;
    this.scope = new Scope('file', null, this);
  }

  /** A node that holds a function or class from the start. */
  hold(value: Func | Class): Node {
    const node = new Node();
    node.values = [value];
    this.seeds.push(node);
    return node;
  }
}

export class Scope {
  readonly names = new Map<string, Variable>();
  /** Names looked up from here that only the engine can find. */
  free: Map<string, FreeName> | undefined;
  /** Names of outer scopes that plain assignments in this one assign: `global`, `nonlocal`. */
  outer: Map<string, Variable> | undefined;
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

  declare(name: string): Variable {
    let variable = this.names.get(name);
    if (!variable) this.names.set(name, (variable = new Variable(name, this)));
    return variable;
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
  /** States of a variable in ordered flow. */
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

/** What a name refers to: decided in its file, or by the engine. */
export type Binding = Variable | FreeName;

/** A name to be looked up with all files at hand. */
export class FreeName {
  readonly kind = 'free';
  readonly node = new Node();
  /** What the engine finds; null for nothing. A member is found by the name in the class. */
  target: Target | MemberTarget | null = null;
  /** Values assigned to it. */
  stores: Node[] | undefined;
  /** Member accesses that start with it, for names of packages: `com.acme.Store`. */
  paths: Array<{ readonly names: readonly string[]; readonly node: Node }> | undefined;

  readonly name: string;
  readonly scope: Scope;
  /** Classes, and functions that belong to classes declared elsewhere, whose members come first, from the inside out. */
  readonly classes: ReadonlyArray<Class | Func>;
  /** What the scopes around the classes declare. */
  readonly lexical: Variable | undefined;

  constructor(
    name: string,
    scope: Scope,
    classes: ReadonlyArray<Class | Func>,
    lexical: Variable | undefined,
  ) {
    this.name = name;
    this.scope = scope;
    this.classes = classes;
    this.lexical = lexical;
  }
}

/** What a name or import refers to. */
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
    };

/** A member of a class around a bare name. */
export interface MemberTarget {
  readonly kind: 'member';
  readonly class: Class;
}

export class ImportBinding {
  readonly kind = 'import';
  /** Receives what it imports. */
  node: Node | undefined;

  readonly statement: code.Import;
  readonly unit: Unit;
  readonly source: number;
  readonly variable: Variable | undefined;

  constructor(statement: code.Import, unit: Unit, source: number, variable: Variable | undefined) {
    this.statement = statement;
    this.unit = unit;
    this.source = source;
    this.variable = variable;
  }
}

export class AliasType {
  readonly kind = 'alias';

  readonly type: code.Type;
  /** Holds the parameters. */
  readonly scope: Scope;
  readonly parameters: readonly GenericParameter[];
  readonly symbol: number | undefined;

  constructor(
    type: code.Type,
    scope: Scope,
    parameters: readonly GenericParameter[],
    symbol: number | undefined,
  ) {
    this.type = type;
    this.scope = scope;
    this.parameters = parameters;
    this.symbol = symbol;
  }
}

export class GenericParameter {
  readonly kind = 'parameter';

  readonly name: string;
  readonly bounds: readonly code.Type[];
  readonly scope: Scope;

  constructor(name: string, bounds: readonly code.Type[], scope: Scope) {
    this.name = name;
    this.bounds = bounds;
    this.scope = scope;
  }
}

export interface FuncParameter {
  readonly node: Node;
  /** What it holds where a call leaves it out. */
  readonly initial: Node | undefined;
  readonly name: string | undefined;
  readonly type: code.Type | undefined;
  readonly optional: boolean;
  readonly rest: 'list' | 'dict' | undefined;
}

export class Func {
  readonly kind = 'function';
  readonly parameters: FuncParameter[] = [];
  receiver: FuncParameter | undefined;
  /** The object it is called on. Functions without a `this` of their own share that of the function around them. */
  thisNode: Node;
  /** What the body returns. */
  readonly returned = new Node();
  /** What the body yields, if it is a generator. */
  readonly yielded = new Node();
  readonly generics: GenericParameter[] = [];
  /** The class that has it as a member; set by the engine for members declared elsewhere. */
  owner: Class | undefined;
  /** Declared under the same name in the same scope, itself included, in source order. */
  overloads: Func[] | undefined;
  /** The symbol that stands for it in edges: its own, else that of the declaration it initializes. */
  symbol: number | undefined;

  readonly code: Omit<code.FunctionCode, 'body'> & { readonly hasBody: boolean };
  readonly unit: Unit;
  /** Holds its parameters. */
  readonly scope: Scope;
  /** The innermost symbol around it. */
  readonly around: number;

  constructor(
    code: Omit<code.FunctionCode, 'body'> & { readonly hasBody: boolean },
    unit: Unit,
    scope: Scope,
    around: number,
    thisNode: Node,
  ) {
    this.code = code;
    this.unit = unit;
    this.scope = scope;
    this.around = around;
    this.thisNode = thisNode;
    this.symbol = code.symbol;
  }

  get name(): string | undefined {
    return this.code.name;
  }
}

export interface Supertype {
  readonly relation: 'extends' | 'implements' | 'mixes';
  /** Lends its members to the class itself. */
  readonly static?: true;
  /** Its members come before those of the class. */
  readonly first?: true;
  readonly type: code.Type;
  readonly value: Node | undefined;
  /** Where the type is written. */
  readonly scope: Scope;
}

export class Class {
  readonly kind = 'class';
  readonly supertypes: Supertype[] = [];
  readonly generics: GenericParameter[] = [];
  /** The object inside its own members. */
  readonly thisNode = new Node();
  /** Fields of instances that are not static; the others are in the names of `scope`. */
  readonly instanceMembers = new Map<string, Variable>();
  readonly embedded: Variable[] = [];

  readonly code: Omit<code.ClassCode, 'members'>;
  readonly unit: Unit;
  /** Holds nested types, static members and generic parameters. */
  readonly scope: Scope;
  readonly around: number;
  readonly source: number;

  constructor(
    code: Omit<code.ClassCode, 'members'>,
    unit: Unit,
    scope: Scope,
    around: number,
    source: number,
  ) {
    this.code = code;
    this.unit = unit;
    this.scope = scope;
    this.around = around;
    this.source = source;
    scope.class = this;
  }

  get name(): string | undefined {
    return this.code.name;
  }

  get symbol(): number | undefined {
    return this.code.symbol;
  }
}

/** The variable of a field or method of instances, declared if it is new. */
export function instanceMember(container: Class, name: string): Variable {
  let variable = container.instanceMembers.get(name);
  if (!variable) container.instanceMembers.set(name, (variable = new Variable(name, container.scope)));
  return variable;
}

/** `impl Trait for Type`. */
export interface Implementation {
  readonly type: code.Type;
  readonly trait: code.Type | undefined;
  /** Collects the members. */
  readonly body: Class;
  readonly line: number;
}
