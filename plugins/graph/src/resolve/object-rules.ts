/** Functions whose results tests get through parameters of their names. */
export interface FixtureRules {
  /** External decorators that make them: `pytest.fixture`. */
  readonly makers: readonly string[];
  /** The name of files whose fixtures all files beside and below them have: `conftest.py`. */
  readonly shared: string;
  readonly isTest: (name: string) => boolean;
}

/** What objects, classes and builtin functions of a language do unseen. Most of it is of Python. */
export interface ObjectRules {
  readonly fixtures?: FixtureRules;
  /** Builtin function whose result calls its first argument with the others: `functools.partial`. */
  readonly partial?: string;
  /** Builtin function that makes a method of a function and an object: `types.MethodType`. */
  readonly methodType?: string;
  /** Builtin functions that make a function one without an object, and a method of the class around the call. */
  readonly functionKinds?: { readonly static: string; readonly ofClass: string };
  /** Builtin function that makes an object from a prototype: `Object.create`. */
  readonly makesObject?: string;
  /** Builtin function that makes a promise of a list of what the promises in its argument give: `Promise.all`. */
  readonly awaitsAll?: string;
  /** Static member that makes the object before the constructor runs: `__new__`. */
  readonly maker?: string;
  /** Builtin types of the parameters that builtin functions loop over or enter: `Iterable`, `ContextManager`. */
  readonly opened?: Readonly<Record<string, 'each' | 'enter'>>;
  /** Classes of the project add members to builtin types of the same name; those of these names to all objects and classes: Ruby. */
  readonly reopensBuiltins?: { readonly object: readonly string[]; readonly class: readonly string[] };
  /** Member of objects that is their class: `__class__`. */
  readonly classMember?: string;
  /** Member that runs after the fields of an object are set where its class has no constructor: `__post_init__`. */
  readonly afterFields?: string;
  /** The builtin class that classes without supertypes extend. It has all members of two underscores: `object`. */
  readonly rootClass?: string;
  /** Calls that builtins make of the functions they are given are calls of the code that gives them: `map(f, list)`. */
  readonly builtinsCall?: true;
  /** Member by which any object is called: `__call__`, `__invoke`, `operator()`, the call signature of an interface. */
  readonly callMember?: string;
  /** Member by which a value that is not a class is constructed: the construct signature of an interface. */
  readonly constructMember?: string;
  /** Member that answers for names that an object lacks: `__getattr__`. */
  readonly missingMember?: string;
  /** Members that run in place of a method which an object or a class lacks, and are given its name: `method_missing`. */
  readonly missingCall?: {
    readonly object: string;
    readonly class: string;
    /** True for a name that all objects have. */
    readonly isOfAll?: (name: string) => boolean;
  };
  /** Member that is called where a member of an object is written: `__setattr__`. */
  readonly storingMember?: string;
  /** The same where the class lacks the member: `__set`. */
  readonly storingMissing?: string;
  /** Builtin type of objects that call functions to read and write a member: `property`. */
  readonly propertyType?: string;
  /** Members that builtin functions call on their first argument, the first that its class has: `str` calls `__str__`. */
  readonly memberCalls?: ReadonlyMap<string, readonly string[]>;
  /** What methods and constructors of builtin collections do with elements whose keys are known, by `Type.method` and type. */
  readonly keyedCalls?: Readonly<Record<string, KeyedCall>>;
  /** Builtin functions that read and write the member of a name: `getattr`, `setattr`. */
  readonly namedAccess?: { readonly read: string; readonly write: string };
  /**
   * Dictionaries of members: the member of objects that is theirs, the builtin function that gives it of an object, that
   * which gives the one of the module, the external object with the modules by name, and the external function that loads
   * one of a name.
   */
  readonly memberDictionaries?: {
    readonly member: string;
    readonly of: string;
    readonly module: string;
    readonly modules: string;
    readonly loader: string;
  };
  /** Builtin types whose members run a member that the object has itself, by name: `Enumerable` runs `each` with a block. */
  readonly derivedMembers?: Readonly<Record<string, string>>;
  /** Builtin functions that apply an operator to the elements they are given, which are their first type parameter: `sorted`. */
  readonly elementOperators?: Readonly<Record<string, string>>;
  /**
   * Members that a class statement calls: one of its supertypes, one of the objects that it holds, and those of its
   * metaclass in their order. `root`: the builtin metaclass.
   */
  readonly creation?: {
    readonly subclass: string;
    readonly member: string;
    readonly metaclass: readonly string[];
    readonly root: string;
  };
  /**
   * Members of a class or module that are called with what extends it (`subclass`), or mixes it in: among its members,
   * before them (`first`), or as members of the class itself (`lent`). Ruby.
   */
  readonly hooks?: {
    readonly subclass: string;
    readonly mixed: string;
    readonly first: string;
    readonly lent: string;
  };
  /** Member of a class that gives an element of the class itself: `A[1]`. */
  readonly classIndex?: string;
  /** Decorator that makes a function call others by the type of an argument, and its member that registers them. */
  readonly dispatch?: { readonly dispatcher: string; readonly register: string };
  /** Keyword arguments with a function that gives a field its value in each object: `default_factory`. */
  readonly fieldFactories?: readonly string[];
}

/**
 * - `read`: gives the element of the first argument, or the second argument
 * - `default`: the same, and stores the second argument there
 * - `include`: adds the elements of collections under their keys, named arguments under their names
 * - `copy`: gives a collection of the same elements: those of the object, of a constructor those of its argument
 * - `append`: adds an element at the end
 * - `shift`: elements of a list change their places
 */
export type KeyedCall = 'read' | 'default' | 'include' | 'copy' | 'append' | 'shift';
