import type { ModuleTarget, Modules, ProjectFiles } from '../modules.js';
import { directoryOf } from './paths.js';
import { STANDARD_MODULES } from './python-names.js';

/** Finds modules as Python does from the directories that are likely on its path. See {@link Roots}. */
export function pythonModules(project: ProjectFiles): Modules {
  return new PythonModules(project);
}

class PythonModules implements Modules {
  readonly #project: ProjectFiles;
  /** Roots that manifests name, nearest to the root of the project first. */
  readonly #declared: ReadonlyArray<{ readonly directory: string; readonly roots: readonly string[] }>;
  /** The same roots by their order. */
  readonly #declaredOrder: ReadonlyMap<string, number>;
  readonly #roots = new Map<string, Roots>();
  /** Directories that have a module or directory, by its name. */
  readonly #holders = new Map<string, Set<string>>();
  readonly #namesakes = new Map<string, boolean>();

  constructor(project: ProjectFiles) {
    this.#project = project;
    this.#declared = project.manifests
      .filter(({ path }) => /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg)$/.test(path))
      .map(({ path, text }) => ({
        directory: directoryOf(path),
        roots: declaredRoots(directoryOf(path), text),
      }));
    const roots = new Set(this.#declared.flatMap((each) => each.roots));
    this.#declaredOrder = new Map([...roots].map((root, index) => [root, index]));
    for (const path of project.paths) if (/\.pyi?$/.test(path)) this.#noteHolders(path);
  }

  #noteHolders(path: string): void {
    for (let at = path.replace(/\.pyi?$/, ''); at !== ''; at = directoryOf(at)) {
      const name = at.slice(at.lastIndexOf('/') + 1);
      const known = this.#holders.get(name);
      if (known?.has(directoryOf(at))) return;
      if (known) known.add(directoryOf(at));
      else this.#holders.set(name, new Set([directoryOf(at)]));
    }
  }

  find({ module, root, name }: Parameters<Modules['find']>[0], from: string): ModuleTarget {
    if (root) return this.#root(module.split('.'), from);
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const parts = module
      .slice(dots)
      .split('.')
      .filter((part) => part !== '');
    if (dots === 0) return this.#absolute(parts, name, from);
    let directory = directoryOf(from);
    for (let up = 1; up < dots; up += 1) {
      if (directory === '') return UNRESOLVED;
      directory = directoryOf(directory);
    }
    return this.#in(directory, parts, name) ?? UNRESOLVED;
  }

  submodule([path = '']: readonly string[], name: string): ModuleTarget | undefined {
    if (!path.endsWith('/') && !isPackage(path)) return undefined;
    const base = join(directoryOf(path), name);
    const file = this.#file(base);
    if (file !== undefined) return { kind: 'files', paths: [file] };
    return path.endsWith('/') ? { kind: 'files', paths: [`${base}/`] } : undefined;
  }

  /** The target of the first name of `import a.b`: a package, or a directory with the module. */
  #root(parts: readonly string[], from: string): ModuleTarget {
    const first = this.#absolute(parts.slice(0, 1), undefined, from);
    const whole = first.kind === 'files' ? first : this.#absolute(parts, undefined, from);
    const [path = ''] = whole.kind === 'files' ? whole.paths : [];
    if (path === '' || first.kind === 'files') return first;
    const directories = (isPackage(path) ? directoryOf(path) : path).split('/');
    return {
      kind: 'files',
      paths: [`${directories.slice(0, directories.length - parts.length + 1).join('/')}/`],
    };
  }

  #absolute(parts: readonly string[], name: string | undefined, from: string): ModuleTarget {
    const [first = ''] = parts;
    const standard = STANDARD_MODULES.has(first) || first === '__future__';
    let owned = false;
    for (const root of this.#holding(first, from, standard)) {
      const path = this.#file(join(root, first));
      if (path !== undefined && this.#isNamesake(path, first, root)) continue;
      const found = this.#in(root, parts, name);
      if (found) return found;
      owned ||= path !== undefined;
    }
    // The project has the package, but not the module.
    if (owned && parts.length > 1) return UNRESOLVED;
    return (
      (standard ? undefined : this.#elsewhere(parts, name)) ?? { kind: 'external', module: parts.join('.') }
    );
  }

  /** The roots of a file that have a module or directory of a name, best first. */
  #holding(name: string, from: string, isStandard: boolean): readonly string[] {
    const holders = this.#holders.get(name);
    if (!holders) return [];
    const { near, around, packages } = this.#rootsOf(from);
    const order = this.#declaredOrder;
    const others = [...holders].filter((each) => order.has(each));
    others.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    const own = isStandard ? [near] : [near, ...around];
    const rest = isStandard ? [] : [...others, ...packages];
    return [...own.filter((each) => holders.has(each)), ...rest.filter((each) => holders.has(each))];
  }

  /**
   * True for a module that has the name of a library which it imports: `celery.py` of Django. A package imports itself by
   * its name, unless it is within another (`integrations/stripe`) and no submodule of it has the imported name.
   */
  #isNamesake(path: string, name: string, root: string): boolean {
    let known = this.#namesakes.get(path);
    if (known === undefined) this.#namesakes.set(path, (known = this.#importsNamesake(path, name, root)));
    return known;
  }

  #importsNamesake(path: string, name: string, root: string): boolean {
    const isWithin = root !== '' && this.#package(root) !== undefined;
    if (isPackage(path) && !isWithin) return false;
    const files = isPackage(path) ? this.#project.inDirectory(directoryOf(path)) : [path];
    const isSubmodule = (each: string) =>
      isPackage(path) && this.#file(join(directoryOf(path), each)) !== undefined;
    return files.some((file) =>
      this.#project.importsOf(file).some(({ module, name: imported }) => {
        if (module === name) return imported === undefined || !isSubmodule(imported);
        return module.startsWith(`${name}.`) && !this.#in(root, module.split('.'), undefined);
      }),
    );
  }

  /** The only place in the project that ends in the module's path of several names. */
  #elsewhere(parts: readonly string[], name: string | undefined): ModuleTarget | undefined {
    if (parts.length < 2) return undefined;
    const suffixes = [`${parts.join('/')}/__init__.py`, `${parts.join('/')}.py`];
    const found = suffixes.flatMap((suffix) =>
      this.#project
        .endingWith(suffix)
        .map((path) => path.slice(0, Math.max(0, path.length - suffix.length - 1))),
    );
    const [only = ''] = found;
    return found.length === 1 ? this.#in(only, parts, name) : undefined;
  }

  /** The module in a directory; of a directory that is not a package the submodule `name`. */
  #in(root: string, parts: readonly string[], name: string | undefined): ModuleTarget | undefined {
    const base = join(root, ...parts);
    const file = parts.length === 0 ? this.#package(base) : this.#file(base);
    if (file !== undefined) return { kind: 'files', paths: [file] };
    const submodule = name === undefined ? undefined : this.#file(join(base, name));
    return submodule === undefined ? undefined : { kind: 'files', paths: [submodule], whole: true };
  }

  #file(base: string): string | undefined {
    return this.#package(base) ?? [`${base}.py`, `${base}.pyi`].find((path) => this.#project.has(path));
  }

  #package(base: string): string | undefined {
    return [join(base, '__init__.py'), join(base, '__init__.pyi')].find((path) => this.#project.has(path));
  }

  /** Directories in which a file finds absolute modules, besides those that other manifests name. */
  #rootsOf(from: string): Roots {
    const own = directoryOf(from);
    const known = this.#roots.get(own);
    if (known) return known;
    let top = own;
    while (top !== '' && this.#package(top) !== undefined) top = directoryOf(top);
    const directories = ancestors(own);
    const declared = this.#declared.filter(({ directory }) => directories.includes(directory));
    const packages = directories.filter((each) => each !== '' && this.#package(each) !== undefined);
    const outside = directories.filter((each) => !packages.includes(each));
    const around = new Set([...declared.flatMap(({ roots: named }) => named), ...outside, 'src', 'lib']);
    const roots = { near: top, around: [...around], packages };
    this.#roots.set(own, roots);
    return roots;
  }
}

/** Best first; the roots that other manifests name come before `packages`. */
interface Roots {
  /** That above the outermost package of a file, or its own. */
  readonly near: string;
  /** Those that manifests around it name, the directories around it that are not packages, the usual ones. */
  readonly around: readonly string[];
  /** Packages around it: on the path where a file of theirs is the program. */
  readonly packages: readonly string[];
}

const UNRESOLVED: ModuleTarget = { kind: 'unresolved' };

/** The folders of packages that a manifest names, then the usual ones. */
function declaredRoots(directory: string, text: string): string[] {
  const named = [
    ...text.matchAll(/^[ \t]*(?:where|pythonpath|""|package_dir|from)[ \t]*=\s*(\S.*)/gm),
    ...text.matchAll(/\b(?:from|where|package_dir)\s*=\s*(\{[^{}]*\}|\[[^[\]]*\]|["'][^"']*["'])/g),
  ].flatMap(([, value = '']) => [...value.matchAll(/["']([\w./-]+)["']|^\s*(?:=\s*)?([\w./-]+)\s*$/g)]);
  const folders = named.map(([, quoted, bare]) => join(directory, ...(quoted ?? bare ?? '').split('/')));
  return [...new Set([...folders, join(directory, 'src'), directory, join(directory, 'lib')])];
}

function isPackage(path: string): boolean {
  return /(?:^|\/)__init__\.pyi?$/.test(path);
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** A directory and those around it, from the inside out, with `''`. */
function ancestors(directory: string): string[] {
  const found = [directory];
  for (let at = directory; at !== ''; at = directoryOf(at)) found.push(directoryOf(at));
  return found;
}
