import type { LanguageRules } from '../language-rules.js';
import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { CSHARP_BUILTINS } from './csharp-builtins.js';
import { CSHARP_COMMON_MEMBERS, isCSharpName } from './csharp-names.js';

class CSharpModules implements Modules {
  readonly #project: ProjectFiles;

  constructor(project: ProjectFiles) {
    this.#project = project;
  }

  /** A namespace, a type for `using static`, and either for an alias. */
  find({ module, name, form }: Parameters<Modules['find']>[0], from: string): ModuleTarget {
    const path = [...(module === '' ? [] : module.split('.')), ...(form === 'named' && name ? [name] : [])];
    const found = this.#locate(path) ?? this.#fromOutside(path, from);
    if (!found) return this.#amongOthers(path, form) ?? { kind: 'external', module: path.join('.') };
    const rest = path.slice(found.used);
    if (form === 'wildcard')
      return { kind: 'files', paths: found.paths, ...(rest.length > 0 && { within: rest }) };
    if (rest.length === 0) return { kind: 'files', paths: found.paths, whole: true };
    return { kind: 'files', paths: found.paths, within: rest.slice(0, -1) };
  }

  /** A namespace of a file that has several. */
  #amongOthers(path: readonly string[], form: string | undefined): ModuleTarget | undefined {
    for (let used = path.length; used > 0; used -= 1) {
      const paths = this.#project.ofNamespace(path.slice(0, used).join('.'));
      const within = form === 'wildcard' ? path : path.slice(0, -1);
      if (paths.length > 0) return { kind: 'files', paths, within };
    }
    return undefined;
  }

  scopeOf(path: string): string {
    return this.#project.packageOf(path) ?? '';
  }

  /** The namespaces around that of the file. */
  visibleScopes(path: string): string[] {
    const names = this.#project.packageOf(path)?.split('.') ?? [];
    return names.map((_, i) => names.slice(0, names.length - 1 - i).join('.'));
  }

  /** Namespaces may be named from those around the file. */
  ofPath(
    names: readonly string[],
    from: string,
  ): { readonly target: ModuleTarget; readonly used: number } | undefined {
    const found = this.#fromOutside(names, from);
    return found && { target: { kind: 'files', paths: found.paths }, used: found.used };
  }

  #fromOutside(
    path: readonly string[],
    from: string,
  ): { readonly paths: readonly string[]; readonly used: number } | undefined {
    const around = this.#project.packageOf(from)?.split('.') ?? [];
    for (let depth = around.length; depth >= 0; depth -= 1) {
      const found = this.#locate([...around.slice(0, depth), ...path]);
      if (found && found.used > depth) return { ...found, used: found.used - depth };
    }
    return undefined;
  }

  /** The longest namespace of the project that a path starts with. */
  #locate(path: readonly string[]): { readonly paths: readonly string[]; readonly used: number } | undefined {
    for (let used = path.length; used > 0; used -= 1) {
      const paths = this.#project.ofPackage(path.slice(0, used).join('.'));
      if (paths.length > 0) return { paths, used };
    }
    return undefined;
  }
}

/** Types may declare no operator of these, or get it from another: `a += b` is `a = a + b`. */
const BUILT_IN = new Set(['&&', '||', '=', '??', '??=', 'string']);

/** `(int)a`. */
const CONVERSION = /^\((\w+)\)$/;

function operatorNames(operator: string): readonly string[] {
  if (BUILT_IN.has(operator)) return [];
  const [, type] = CONVERSION.exec(operator) ?? [];
  if (type !== undefined) return [`operator ${type}`];
  const isAssigned = /^(?:[-+*/%&|^]|<<|>>>?)=$/.test(operator);
  return [`operator ${operator}`, ...(isAssigned ? [`operator ${operator.slice(0, -1)}`] : [])];
}

export const csharp: LanguageRules = {
  modules: (project) => new CSharpModules(project),
  builtins: CSHARP_BUILTINS,
  builtinModules: [
    'System',
    'System.Collections',
    'System.Collections.Generic',
    'System.Collections.Concurrent',
    'System.Collections.Immutable',
    'System.Linq',
    'System.Threading.Tasks',
  ],
  conversions: {
    sbyte: ['short', 'int', 'long', 'float', 'double', 'decimal'],
    byte: ['short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
    short: ['int', 'long', 'float', 'double', 'decimal'],
    ushort: ['int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
    char: ['ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
    int: ['long', 'float', 'double', 'decimal', 'byte', 'short', 'uint', 'ulong', 'sbyte', 'ushort'],
    uint: ['long', 'ulong', 'float', 'double', 'decimal'],
    long: ['float', 'double', 'decimal'],
    ulong: ['float', 'double', 'decimal'],
    float: ['double'],
  },
  numbers: ['int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
  topType: 'object',
  nullableType: 'Nullable',
  defaultStructs: true,
  literals: {
    list: 'Array',
    string: 'string',
    boolean: 'bool',
    number: 'int',
    promise: 'Task',
    generator: 'IEnumerable',
  },
  bareNames: 'members',
  decorators: 'annotations',
  privateImports: true,
  wildcardNames: /^\p{Lu}[^()]*$/u,
  overloads: 'arguments',
  typesByArity: true,
  wholeTypeArguments: true,
  inheritsOverloads: true,
  overrides: 'declared',
  namespaces: 'shared',
  functionalInterfaces: true,
  callsByType: true,
  protocol: {
    index: 'this[]',
    setIndex: 'this[]',
    each: 'GetEnumerator',
    next: 'MoveNext',
    element: 'Current',
  },
  operationsCall: true,
  operators: {
    names: operatorNames,
    place: 'static',
    text: { operators: new Set(['+', '+=', 'string']), member: 'ToString' },
  },
  memberCalls: new Map([
    ['Console.WriteLine', ['ToString']],
    ['Console.Write', ['ToString']],
  ]),
  commonMembers: CSHARP_COMMON_MEMBERS,
  isBuiltin: isCSharpName,
};
