import type { ConversionCall } from './conversion-call.js';
import type { Modules, ProjectFiles } from './modules.js';
import type { ObjectRules } from './object-rules.js';
import type { OperatorRules } from './operator-rules.js';

/**
 * `Readonly<T>`, `Awaited<T>`, `ReturnType<typeof f>` and `Parameters<typeof f>` of a function, `InstanceType<typeof C>`
 * of a class.
 */
export type UtilityType = 'same' | 'awaited' | 'result' | 'parameters' | 'instance';

/** Differences between languages. The engine knows nothing else about a language. */
export interface LanguageRules extends ObjectRules {
  /** Called once for each resolution, with all files of the project, whatever their language. */
  readonly modules: (project: ProjectFiles) => Modules;

  /**
   * Types of the language and its standard library that carry values of the project: collections, promises,
   * optionals. See `builtins.ts` for the notation. Their members are external, but their element types flow.
   */
  readonly builtins?: string;
  /** Names of the builtin types of literals. A list, tuple or set has one type parameter, an object one (its values) or two. */
  readonly literals?: Partial<Record<LiteralKind, string>>;
  /**
   * Builtin type of types with an index signature, where it is not that of literals. What such a signature gives are
   * members as well: `Record` of TypeScript.
   */
  readonly dictionary?: string;
  /** Modules whose exports are among `builtins`: `typing`, `java.util`. Their names resolve without an external use. */
  readonly builtinModules?: readonly string[];
  /** Modules whose types are among `builtins` as well, but are external uses: `collections`. */
  readonly collectionModules?: readonly string[];

  /**
   * What a bare name finds before the scopes around the class: `members` of the classes around it, inherited ones
   * included, or nothing of them (default).
   */
  readonly bareNames?: 'members';
  /**
   * What an assignment to a bare name without `declares` assigns. `local`: a variable of the innermost function, which it
   * declares (Python, PHP). `lexical`: the variable of a scope around it, else it declares one (Ruby). Default: like
   * `lexical`, but fields of the classes around it come first where `bareNames` are members.
   */
  readonly assignedNames?: 'local' | 'lexical';
  /**
   * `static` (default): inside a method, `this` is the class around it; overriders are found through the hierarchy.
   * `dynamic`: `this` is what the method is called on; the class around it only where no call is known.
   */
  readonly receiver?: 'static' | 'dynamic';
  /** Statements in the body of a class have the class as `this`: Ruby. */
  readonly runsClassBodies?: true;
  /** `function` expressions have a `this` of their own, unless they are arrows. Default: only members have. */
  readonly functionsBindThis?: true;
  /** A function that a class holds is a method, also after a decorator: its first parameter is the object. Python. */
  readonly bindsFunctions?: true;
  /** The variable of a function, unless it is an arrow, that holds the list of its arguments: `arguments`. */
  readonly argumentsName?: string;
  /** Functions construct objects and are called through members of these names: JavaScript. */
  readonly functionObjects?: {
    readonly prototype: string;
    readonly call: string;
    readonly apply: string;
    readonly bind: string;
  };
  /** A function may have the name of a module: what is called as a module is the function of its name that it offers. */
  readonly functionsBesideModules?: true;
  /** Another name for a type is also its class as a value: `using A = B<C>; A::make()`. */
  readonly namedTypesAreValues?: true;
  /** Members of a class itself do not hide those that its objects inherit. */
  readonly ownMethods?: true;
  /** Order of supertypes in which a member is looked up. `breadth_first`: the nearest first. Default: depth first. */
  readonly memberOrder?: 'c3' | 'depth_first' | 'breadth_first';
  /** Later assignments in straight-line code replace earlier ones. Default: a variable holds all its values. */
  readonly flow?: 'ordered';
  /** Defaults of parameters are evaluated once, where the function is defined. Default: in each call that needs them. */
  readonly defaults?: 'definition';
  /** Functions of a block are declared before its first statement runs: JavaScript. Matters for ordered flow only. */
  readonly hoistsFunctions?: true;
  /** A function or variable declared without a value in one file may be defined in another: prototypes of C. */
  readonly prototypes?: true;
  /**
   * Which of several functions of one name in one scope or class a call binds to. `arguments`: by number, then by types;
   * `implementation`: the one with a body, else the first. Default: the last of a class, any of a scope.
   */
  readonly overloads?: 'arguments' | 'implementation';
  /** Builtin types of constants that are pointers to nothing: `nullptr_t`. */
  readonly nullTypes?: readonly string[];
  /** Generic code is checked for the types that it is used with, not for bounds: C++. */
  readonly templates?: true;
  /** A bare name that is called means functions beside the classes of its arguments too: C++. */
  readonly argumentLookup?: true;
  /** Namespaces, and classes that reopen, are one in all files that use the same qualified name: C++, C#, PHP, Ruby. */
  readonly namespaces?: 'shared';
  /** Imports of a file are not visible to files that import it: Java, C#. */
  readonly privateImports?: true;
  /** Names that a wildcard import of a module may bring, which is not `static`: those of types. Default: all. */
  readonly wildcardNames?: RegExp;
  /**
   * Files affect the graphs of each other through imports, global variables of scripts, and names that only one type has
   * alone. Default: through names of packages, namespaces and members, too.
   */
  readonly linkedByImports?: true;
  /** Paths of files that share global variables with each other where they are not modules: JavaScript. */
  readonly scripts?: RegExp;
  /** Variables that hold an object with all global variables: `window`. */
  readonly globalObjects?: ReadonlySet<string>;
  /** Object literals are records: their keys are members. JavaScript. */
  readonly recordLiterals?: true;
  /** Types of one name differ by the number of their type parameters, and `new A` names a type, whatever else is called `A`: C#. */
  readonly typesByArity?: true;
  /** A call gives all type arguments of a function or none, which then follow from its arguments: C#. */
  readonly wholeTypeArguments?: true;
  /** A class does not hide the functions of a name in its supertypes that take other arguments: Java, C#. */
  readonly inheritsOverloads?: true;
  /** Names that declare the constructor of a class, besides functions with `constructor_`: `__init__`, `initialize`. */
  readonly constructors?: readonly string[];
  /**
   * A field and a method of one class may have the same name. `separate`: they are apart everywhere (Java). `called`: the
   * method is what is called (Rust).
   */
  readonly methodNames?: 'separate' | 'called';
  /** Names of members that are names of their class alone: `#x` of JavaScript, `__x` of Python. */
  readonly isPrivateName?: (name: string) => boolean;
  /**
   * Which methods of a class those of its subtypes take the place of. `virtual`: those that are declared to be virtual,
   * abstract or an override (C++); `declared`: the same, and only by methods that are declared to be an override (C#);
   * `visible`: those that are not private (Java, PHP). Default: all.
   */
  readonly overrides?: 'virtual' | 'declared' | 'visible';
  /** Only interfaces and traits have subtypes: what is called on a value of another type is the method that it has. */
  readonly finalClasses?: true;
  /** A static method that is called on `static` is that of the class which the call names: PHP. */
  readonly lateStatic?: true;
  /** `annotations`: decorators name types and change nothing. Default: they are called. */
  readonly decorators?: 'annotations';
  /** Names of builtin types that a value of a builtin type converts to by itself, nearest first. */
  readonly conversions?: Readonly<Record<string, readonly string[]>>;
  /** Names of the builtin types that arithmetic gives, narrowest first: of two operands, the wider one decides. */
  readonly numbers?: readonly string[];
  /** A class takes what one of its constructors takes, or an operator of the value gives: C++. */
  readonly constructorsConvert?: true;
  /** The builtin type of all values: `Object`. */
  readonly topType?: string;
  /** A struct is also made without arguments, whatever constructors it has: C#. */
  readonly defaultStructs?: true;
  /** The builtin type of a value that may be absent: it takes the value itself, but is not one: C#. */
  readonly nullableType?: string;
  /**
   * The declaration of a variable decides its type for good, by its type or its first value: later values add only the
   * functions among them, and nothing flows into what has an external type.
   */
  readonly staticTypes?: true;
  /** A call means a member of the type that its object is declared with, also where that is external: Java, C#. */
  readonly callsByType?: true;
  /** Calling a class converts a value to it instead of constructing: Go. */
  readonly callConverts?: true;
  /** The class of an enumeration is a collection of its members: Python. */
  readonly enumsIterate?: true;
  /** A type implements an interface by having its methods, with the same types or such that all calls of these fit. */
  readonly structuralInterfaces?: 'exact' | 'callable';
  /** A member call on a function value calls the function: functional interfaces of Java, delegates of C#. */
  readonly functionalInterfaces?: true;
  /** Members that `each`, `enter`, `index` and `await` call on an object of the project: `__iter__`, `__enter__`. */
  readonly protocol?: Partial<Record<ProtocolPart, string>>;
  /** Methods that make an object of the type which the code around them expects. */
  readonly conversionCalls?: Readonly<Record<string, ConversionCall>>;
  /** Static member that `a?` calls for an error of another type than that of the function around it. */
  readonly errorConversion?: string;
  /** Associated types that are the type argument of a builtin trait: `Item` of `Iterator`. */
  readonly associatedTypes?: Readonly<Record<string, string>>;
  /** Member that gives the object which has the members that an object lacks: `deref`, `operator->`. */
  readonly dereference?: string;
  /** Members that give an iterator of an object, the member of iterators that gives a result, and that of its value. */
  readonly iterator?: { readonly members: readonly string[]; readonly next: string; readonly value: string };
  /**
   * Iterators are collections too: a loop calls `next` of an object without `each`, and has the elements of its type. The
   * members that it calls besides: PHP.
   */
  readonly loopsOverIterators?: readonly string[];
  /** Builtin functions that give the first argument the members of the others: `Object.assign`, `Object.setPrototypeOf`. */
  readonly copiesMembers?: readonly string[];
  /** Such operations are calls of the member in the graph: loops call `__iter__`. */
  readonly operationsCall?: true;
  /** Constructor calls in which a keyword argument sets the field of its name: struct literals. Default: only where no constructor has such a parameter. */
  readonly fieldsByName?: true;
  /** Strings and numbers that flow to an index are its keys: `key = "a"`, `d[key]`. A string is never a number's key. */
  readonly constantKeys?: true;
  /**
   * Names that an import of all names takes from a file without export statements; of a file with some it takes those.
   * Default: all names of any file.
   */
  readonly wildcardTakes?: (name: string) => boolean;
  /** Files that keep to themselves what their export statements, if they have some, do not name. Default: none. */
  readonly hidesNames?: (path: string) => boolean;
  /** Constructing a class without a constructor sets its fields in their order: C, C++. */
  readonly fieldsInOrder?: true;
  /** The variable that holds what a file exports: `exports`. */
  readonly exportsName?: string;
  /** A type that nothing declares is one of the environment: `HTMLElement` of browsers. */
  readonly ambientTypes?: true;
  /** The type of a rest parameter is always that of the list, never that of its elements: `...args: [A, B]`. */
  readonly typesWholeRests?: true;
  /** Types of the language that make a type of their first argument, by name. */
  readonly utilityTypes?: Readonly<Record<string, UtilityType>>;
  /** Functions that run an operator. Default: operators have plain results. */
  readonly operators?: OperatorRules;
  /** Names of members so common that the only one of its name in the project tells nothing. Added to the engine's own. */
  readonly commonMembers?: readonly string[];
  /** Last resort for a bare name that nothing declares: true where it is a builtin function or type, which is then external. */
  readonly isBuiltin?: (name: string) => boolean;
}

type ProtocolPart =
  | 'each'
  /** Tells whether an iterator has a next element: `hasNext`. */
  | 'more'
  | 'next'
  /** The element of an iterator, which `next` does not give then: `Current`. */
  | 'element'
  | 'enter'
  | 'exit'
  | 'index'
  | 'setIndex'
  /** Gives an element that a collection lacks: `__missing__`. */
  | 'missingIndex'
  /** Gives an element to be changed or replaced: `index_mut`. */
  | 'changedIndex'
  | 'await'
  /** What an object that a class holds runs where the member is read or written: `__get__`, `__set__`. */
  | 'getMember'
  | 'setMember'
  | 'dereference'
  | 'asyncEach'
  | 'asyncNext'
  | 'asyncEnter'
  | 'asyncExit';

export type LiteralKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'regexp'
  | 'list'
  | 'tuple'
  | 'set'
  | 'object'
  /** Types that wrap the results of generators and of async functions. */
  | 'generator'
  | 'promise';
