import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Manifest } from '../model.js';

/** The files of a project, for finding modules. All paths are relative to the project with `/`. */
export interface ProjectFiles {
  readonly manifests: readonly Manifest[];
  /** All source files, sorted. */
  readonly paths: readonly string[];
  /** True for a source file of any language. */
  has(path: string): boolean;
  /** Source files directly in a directory (`''`: the root), sorted. */
  inDirectory(directory: string): readonly string[];
  /** Source files whose last parts are these: `a/b.h`, sorted. */
  endingWith(suffix: string): readonly string[];
  /** Source files that declare this package, sorted. */
  ofPackage(name: string): readonly string[];
  /** Source files that declare a namespace of this name beside others, sorted. Their names are within it. */
  ofNamespace(name: string): readonly string[];
  /** How many of the first names are namespaces that macros open: their names are global. */
  openedByMacros(names: readonly string[]): number;
  /** The package that a file declares. */
  packageOf(path: string): string | undefined;
  /** What a file imports, as written. */
  importsOf(path: string): ReadonlyArray<Pick<code.Import, 'module' | 'name' | 'form' | 'local'>>;
  /** The builds that have a file, as it says. */
  constraintOf(path: string): string | undefined;
}

export interface Modules {
  /** Finds the module of an import statement or expression. */
  find(request: Pick<code.Import, 'module'> & Partial<code.Import>, from: string): ModuleTarget;
  /** What an import of an external module without a `local` name binds. Of files, it is the package they declare. */
  localName?(module: string): string;
  /** The submodule of a name that the files of a module do not declare. */
  submodule?(paths: readonly string[], name: string): ModuleTarget | undefined;
  /**
   * The scope that a file's top-level names belong to besides its own: its package or directory. Files with the
   * same key share their names. Absent: the file is a scope of its own.
   */
  scopeOf?(path: string): string | undefined;
  /** Keys of scopes whose names a file sees without importing them, nearest first, besides `scopeOf` of the file. */
  visibleScopes?(path: string): readonly string[];
  /** True for a file whose functions come before those of one name in others: the build of `from` has it. Absent: for all. */
  isBuiltWith?(path: string, from: string): boolean;
  /** Modules from which a file sees a name without importing it: preludes. Asked after the scopes. */
  implicit?(path: string, name: string): readonly ModuleTarget[];
  /**
   * The module of a path of names that starts with a name nothing declares: `com.acme.Store` (Java), `crate::a::B`,
   * `\App\Models\User`, `Acme::Store`. `used`: how many names the module takes.
   */
  ofPath?(
    names: readonly string[],
    from: string,
  ): { readonly target: ModuleTarget; readonly used: number } | undefined;
}

/**
 * - `files`: these files together, in order of precedence: one, or all of a package
 * - `external`: outside the project; `module` as it is to be reported
 * - `unresolved`: should be in the project, but is not
 */
export type ModuleTarget =
  | {
      readonly kind: 'files';
      /** A path that ends in `/` is a module without a file: a namespace package of Python. */
      readonly paths: readonly string[];
      /** `loads` of C and Ruby: the names of the files become visible in this one, transitively. */
      readonly merges?: true;
      /** Other statements import the files: `using namespace` of C++ names what headers brought. */
      readonly included?: true;
      /** The imported name is the module itself: `from package import submodule`. */
      readonly whole?: true;
      /** A name that the files lack is one of the language or of a library: global names of PHP. */
      readonly mayLack?: true;
      /** The names are members of this type in the files, named from the outside in: `import static a.B.c`. */
      readonly within?: readonly string[];
      /** The module outside the project that is meant where the files lack the next name of a path. */
      readonly otherwise?: string;
    }
  | {
      readonly kind: 'external';
      readonly module: string;
      /** The imported name is the module itself: `use std::fmt`. */
      readonly whole?: true;
    }
  | { readonly kind: 'unresolved' };
