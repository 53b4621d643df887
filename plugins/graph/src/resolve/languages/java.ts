import type { LanguageRules, Modules, ModuleTarget, ProjectFiles } from '../language-rules.js';
import { JAVA_BUILTINS } from './java-builtins.js';
import { isJavaLang, JAVA_COMMON_MEMBERS } from './java-names.js';
import { nearestFirst } from './paths.js';

/** A package starts with a lower-case letter, a class does not: what else tells them apart is not in the text. */
const PACKAGE_NAME = /^[a-z_]/;

class JavaModules implements Modules {
  readonly #project: ProjectFiles;

  constructor(project: ProjectFiles) {
    this.#project = project;
  }

  find({ module, name, form }: Parameters<Modules['find']>[0], from: string): ModuleTarget {
    const path = [...(module === '' ? [] : module.split('.')), ...(form === 'named' && name ? [name] : [])];
    const found = this.#locate(path);
    if (!found) return this.#elsewhere(path);
    const rest = path.slice(found.used);
    // Modules may have packages of one name.
    const all = nearestFirst(found.paths, from);
    const [type] = rest;
    if (type === undefined) return { kind: 'files', paths: all };
    const own = all.find((each) => each === `${type}.java` || each.endsWith(`/${type}.java`));
    // Other types may share a file.
    const paths = own === undefined ? all : [own];
    if (form === 'wildcard') return { kind: 'files', paths, within: rest };
    if (own === undefined && all.every((each) => each === from)) return { kind: 'unresolved' };
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
    if (found) return { target: { kind: 'files', paths: nearestFirst(found.paths, from) }, used: found.used };
    const used = names.findIndex((name) => !PACKAGE_NAME.test(name));
    if (used < 2) return undefined;
    return { target: { kind: 'external', module: names.slice(0, used).join('.') }, used };
  }

  /** The longest package of the project that a path starts with. */
  #locate(path: readonly string[]): { readonly paths: readonly string[]; readonly used: number } | undefined {
    for (let used = path.length; used > 0; used -= 1) {
      const paths = this.#project.ofPackage(path.slice(0, used).join('.'));
      if (paths.length > 0) return { paths, used };
    }
    return undefined;
  }

  #elsewhere(path: readonly string[]): ModuleTarget {
    const end = path.findIndex((name) => !PACKAGE_NAME.test(name));
    return { kind: 'external', module: path.slice(0, end < 0 ? path.length : end).join('.') };
  }
}

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
  commonMembers: JAVA_COMMON_MEMBERS,
  isBuiltin: isJavaLang,
};
