import { groupBy } from '../group-by.js';
import type { LanguageRules } from '../language-rules.js';
import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { JAVA_BUILTINS } from './java-builtins.js';
import { isJavaLang, JAVA_COMMON_MEMBERS } from './java-names.js';
import { directoryOf, nearestFirst } from './paths.js';

/** A package starts with a lower-case letter, a class does not: what else tells them apart is not in the text. */
const PACKAGE_NAME = /^[a-z_]/;

/** The files of a package, also by their names: `Order.java`. */
interface Package {
  readonly paths: readonly string[];
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

class JavaModules implements Modules {
  readonly #project: ProjectFiles;
  readonly #packages = new Map<string, Package>();
  /** The files of packages in their order for the files of one directory, the last that was asked about. */
  #near = { directory: '', ordered: new Map<Package, readonly string[]>() };

  constructor(project: ProjectFiles) {
    this.#project = project;
  }

  find({ module, name, form }: Parameters<Modules['find']>[0], from: string): ModuleTarget {
    const path = [...(module === '' ? [] : module.split('.')), ...(form === 'named' && name ? [name] : [])];
    const found = this.#locate(path);
    if (!found) return this.#elsewhere(path);
    const rest = path.slice(found.used);
    const [type] = rest;
    if (type === undefined) return { kind: 'files', paths: this.#ordered(found.within, from) };
    const [own] = nearestFirst(found.within.byName.get(`${type}.java`) ?? [], from);
    // Other types may share a file.
    const paths = own === undefined ? this.#ordered(found.within, from) : [own];
    if (form === 'wildcard') return { kind: 'files', paths, within: rest };
    if (own === undefined && paths.every((each) => each === from)) return { kind: 'unresolved' };
    return { kind: 'files', paths, within: rest.slice(0, -1) };
  }

  scopeOf(path: string): string {
    const declared = this.#project.packageOf(path);
    return declared === undefined
      ? `directory ${path.slice(0, Math.max(path.lastIndexOf('/'), 0))}`
      : `package ${declared}`;
  }

  ofPath(
    names: readonly string[],
    from: string,
  ): { readonly target: ModuleTarget; readonly used: number } | undefined {
    const found = this.#locate(names);
    if (found)
      return { target: { kind: 'files', paths: this.#ordered(found.within, from) }, used: found.used };
    const used = names.findIndex((name) => !PACKAGE_NAME.test(name));
    if (used < 2) return undefined;
    return { target: { kind: 'external', module: names.slice(0, used).join('.') }, used };
  }

  /** The longest package of the project that a path starts with. */
  #locate(path: readonly string[]): { readonly within: Package; readonly used: number } | undefined {
    for (let used = path.length; used > 0; used -= 1) {
      const within = this.#package(path.slice(0, used).join('.'));
      if (within) return { within, used };
    }
    return undefined;
  }

  #package(name: string): Package | undefined {
    const known = this.#packages.get(name);
    if (known) return known;
    const paths = this.#project.ofPackage(name);
    if (paths.length === 0) return undefined;
    const byName = groupBy(paths, (path) => path.slice(path.lastIndexOf('/') + 1));
    const found = { paths, byName };
    this.#packages.set(name, found);
    return found;
  }

  /** The files of a package, nearest first: modules may have packages of one name. */
  #ordered(within: Package, from: string): readonly string[] {
    const directory = directoryOf(from);
    if (this.#near.directory !== directory) this.#near = { directory, ordered: new Map() };
    const known = this.#near.ordered.get(within);
    if (known) return known;
    const paths = nearestFirst(within.paths, from);
    this.#near.ordered.set(within, paths);
    return paths;
  }

  #elsewhere(path: readonly string[]): ModuleTarget {
    const end = path.findIndex((name) => !PACKAGE_NAME.test(name));
    return { kind: 'external', module: path.slice(0, end < 0 ? path.length : end).join('.') };
  }
}

/** What sorting does with elements: no operator of the language. */
const COMPARES = 'compare';

export const java: LanguageRules = {
  modules: (project) => new JavaModules(project),
  builtins: JAVA_BUILTINS,
  builtinModules: [
    'java.lang',
    'java.util',
    'java.util.concurrent',
    'java.util.concurrent.atomic',
    'java.util.function',
    'java.util.stream',
    'java.lang.ref',
  ],
  literals: { list: 'Array', string: 'String', boolean: 'boolean', number: 'int' },
  conversions: {
    byte: ['short', 'int', 'long', 'float', 'double', 'Byte', 'Number'],
    short: ['int', 'long', 'float', 'double', 'Short', 'Number'],
    char: ['int', 'long', 'float', 'double', 'Character'],
    int: ['long', 'float', 'double', 'Integer', 'Number', 'byte', 'short', 'char'],
    long: ['float', 'double', 'Long', 'Number'],
    float: ['double', 'Float', 'Number'],
    double: ['Double', 'Number'],
    boolean: ['Boolean'],
    Byte: ['byte', 'short', 'int', 'long', 'float', 'double'],
    Short: ['short', 'int', 'long', 'float', 'double'],
    Character: ['char', 'int', 'long', 'float', 'double'],
    Integer: ['int', 'long', 'float', 'double'],
    Long: ['long', 'float', 'double'],
    Float: ['float', 'double'],
    Double: ['double'],
    Boolean: ['boolean'],
  },
  numbers: ['int', 'long', 'float', 'double'],
  topType: 'Object',
  bareNames: 'members',
  methodNames: 'separate',
  decorators: 'annotations',
  privateImports: true,
  wildcardNames: /^\p{Lu}[^()]*$/u,
  overloads: 'arguments',
  inheritsOverloads: true,
  overrides: 'visible',
  functionalInterfaces: true,
  callsByType: true,
  // Methods, beside which a field may have the name.
  protocol: { each: 'iterator()', more: 'hasNext()', next: 'next()' },
  operationsCall: true,
  operators: {
    names: (operator) => (operator === COMPARES ? ['compareTo()'] : []),
    text: { operators: new Set(['+', '+=']), member: 'toString()' },
  },
  elementOperators: {
    'Collections.sort': COMPARES,
    'Collections.min': COMPARES,
    'Collections.max': COMPARES,
    'Arrays.sort': COMPARES,
    'Stream.sorted': COMPARES,
  },
  memberCalls: new Map([
    ['String.valueOf', ['toString()']],
    ['Objects.toString', ['toString()']],
    ['Objects.equals', ['equals()']],
    ['Collection.contains', ['equals()']],
    ['List.indexOf', ['equals()']],
    ['StringBuilder.append', ['toString()']],
    ['System.out.println', ['toString()']],
    ['System.out.print', ['toString()']],
    ['System.err.println', ['toString()']],
  ]),
  derivedMembers: { Thread: 'run()' },
  commonMembers: JAVA_COMMON_MEMBERS,
  isBuiltin: isJavaLang,
};
