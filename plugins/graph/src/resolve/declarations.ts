import type { code } from '@service-mcp/plugin-syntax/contract';
import type { ResultKind } from './compile/result-kind.js';
import { Node } from './node.js';
import { Variable, type Unit, type Scope } from './program.js';

export class ImportBinding {
  readonly kind = 'import';
  /** Receives what it imports. */
  node: Node | undefined;

  readonly statement: code.Import;
  readonly unit: Unit;
  readonly source: number;
  readonly variable: Variable | undefined;
  /** The scope that the statement stands in. */
  readonly scope: Scope;

  constructor(statement: code.Import, scope: Scope, source: number, variable: Variable | undefined) {
    this.statement = statement;
    this.unit = scope.unit;
    this.scope = scope;
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
  readonly #parts: GenericParameter[] = [];

  constructor(name: string, bounds: readonly code.Type[], scope: Scope) {
    this.name = name;
    this.bounds = bounds;
    this.scope = scope;
  }

  /** Adds what stands for it where its class gets more members, maybe with bounds of its own. */
  join(part: GenericParameter): this {
    this.#parts.push(part);
    return this;
  }

  /** Its bounds, and those that it has where its class gets more members. */
  get allBounds(): ReadonlyArray<{ readonly type: code.Type; readonly scope: Scope }> {
    return [this, ...this.#parts].flatMap(({ bounds, scope }) => bounds.map((type) => ({ type, scope })));
  }
}

export interface FuncParameter {
  readonly node: Node;
  /** Its value when a call omits the argument. */
  readonly initial: Node | undefined;
  readonly name: string | undefined;
  readonly type: code.Type | undefined;
  readonly optional: boolean;
  readonly rest: 'list' | 'dict' | undefined;
  /** Its first value, where later ones are apart from it. */
  readonly state: Node | undefined;
  /** The body returns it as it is. */
  returned?: true;
}

/** What a condition tells of the value of a parameter. */
export interface ParameterTest extends Omit<code.Tested, 'name'> {
  readonly parameter: FuncParameter;
}

/** A function without the statements of its body. */
type BodylessCode = Omit<code.FunctionCode, 'body'> & {
  readonly hasBody: boolean;
  /** Of a function without a name, where it may stand for an object of an interface. */
  readonly gives?: ResultKind;
};

export class Func {
  readonly kind = 'function';
  readonly parameters: FuncParameter[] = [];
  receiver: FuncParameter | undefined;
  /** The object it is called on. Functions without a `this` of their own share that of the function around them. */
  thisNode: Node;
  /** Values that the body returns. */
  readonly returned = new Node();
  /** The same with its own arguments, where it returns some as they are: each call gives those it is given. */
  passed: Node | undefined;
  /** See `signatureKey` of `engine/overloads.ts`: only those that calls choose among have it. */
  signatureKey: string | undefined;
  /** Values that it returns to calls whose arguments pass all of the tests. `passed` has them too. */
  tested: Array<{ readonly value: Node; readonly tests: readonly ParameterTest[] }> | undefined;
  /** The class that the body returns. */
  returnedClass: Class | undefined;
  /** Values that the body yields, if it is a generator. */
  readonly yielded = new Node();
  /** What `yield` gives: the values that a generator is sent. */
  sent: Node | undefined;
  /** The list of all arguments, where the body names it: `arguments` of JavaScript. */
  whole: Node | undefined;
  readonly generics: GenericParameter[] = [];
  /** The class that has it as a member; set by the engine for members declared elsewhere. */
  owner: Class | undefined;
  /** Declared under the same name in the same scope, itself included, in source order. */
  overloads: Func[] | undefined;
  /** The symbol that stands for it in edges: its own, else that of the declaration it initializes. */
  symbol: number | undefined;

  readonly code: BodylessCode;
  readonly unit: Unit;
  /** Holds its parameters. */
  readonly scope: Scope;
  /** The innermost symbol around it. */
  readonly around: number;

  constructor(code: BodylessCode, unit: Unit, scope: Scope, around: number, thisNode: Node) {
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
  /** Of what mixes the module in, not of the module itself. */
  readonly passed?: true;
  readonly type: code.Type;
  readonly value: Node | undefined;
  /** What makes it: `Named(Base)`. */
  readonly call?: code.Call | undefined;
  /** Where the type is written. */
  readonly scope: Scope;
  /** The part of a class in several places that names it, and has its edge. Absent: the class itself. */
  readonly writtenIn?: Class;
}

export class Class {
  readonly kind = 'class';
  readonly supertypes: Supertype[] = [];
  readonly generics: GenericParameter[] = [];
  /** The object inside its own members. */
  readonly thisNode = new Node();
  /** Fields of instances that are not static; the others are in the names of `scope`. */
  instanceMembers = new Map<string, Variable>();
  readonly embedded: Variable[] = [];
  /** Functions that give fields their values in each object. */
  factories: Array<{ readonly field: string; readonly node: Node }> | undefined;

  /** The class that has it, where it is declared outside of that: `struct A::B { … }`. */
  outer: Class | undefined;

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
