import type { ModuleTarget, Modules, ProjectFiles } from '../language-rules.js';
import { STANDARD_MODULES } from './python-names.js';

/** Finds modules as Python does from the directories that are likely on its path. See {@link rootsOf}. */
export function pythonModules(project: ProjectFiles): Modules {
  return new PythonModules(project);
}

class PythonModules implements Modules {
  readonly #project: ProjectFiles;
  /** Roots that manifests name, nearest to the root of the project first. */
  readonly #declared: ReadonlyArray<{ readonly directory: string; readonly roots: readonly string[] }>;
  readonly #roots = new Map<string, { readonly near: readonly string[]; readonly all: readonly string[] }>();

  constructor(project: ProjectFiles) {
    this.#project = project;
    this.#declared = project.manifests
      .filter(({ path }) => /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg)$/.test(path))
      .map(({ path, text }) => ({ directory: parent(path), roots: declaredRoots(parent(path), text) }));
  }

  find({ module, root, name }: Parameters<Modules['find']>[0], from: string): ModuleTarget {
    if (root) return this.#root(module.split('.'), from);
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const parts = module
      .slice(dots)
      .split('.')
      .filter((part) => part !== '');
    if (dots === 0) return this.#absolute(parts, name, from);
    let directory = parent(from);
    for (let up = 1; up < dots; up += 1) {
      if (directory === '') return UNRESOLVED;
      directory = parent(directory);
    }
    return this.#in(directory, parts, name) ?? UNRESOLVED;
  }

  submodule([path = '']: readonly string[], name: string): ModuleTarget | undefined {
    if (!path.endsWith('/') && !isPackage(path)) return undefined;
    const base = join(parent(path), name);
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
    const directories = (isPackage(path) ? parent(path) : path).split('/');
    return {
      kind: 'files',
      paths: [`${directories.slice(0, directories.length - parts.length + 1).join('/')}/`],
    };
  }

  #absolute(parts: readonly string[], name: string | undefined, from: string): ModuleTarget {
    const [first = ''] = parts;
    const standard = STANDARD_MODULES.has(first) || first === '__future__';
    const { near, all } = this.#rootsOf(from);
    let owned = false;
    for (const root of standard ? near : all) {
      const found = this.#in(root, parts, name);
      if (found) return found;
      owned ||= this.#file(join(root, first)) !== undefined;
    }
    // The project has the package, but not the module.
    if (owned && parts.length > 1) return UNRESOLVED;
    return (
      (standard ? undefined : this.#elsewhere(parts, name)) ?? { kind: 'external', module: parts.join('.') }
    );
  }

  /** The only place in the project that ends in the module's path. One name alone must be a package. */
  #elsewhere(parts: readonly string[], name: string | undefined): ModuleTarget | undefined {
    const path = parts.join('/');
    const suffixes = parts.length > 1 ? [`${path}/__init__.py`, `${path}.py`] : [`${path}/__init__.py`];
    const found = suffixes.flatMap((suffix) => this.#project.endingWith(suffix));
    const [only = ''] = found;
    if (found.length !== 1) return undefined;
    return this.#in(
      only.slice(0, only.length - (suffixes.find((each) => only.endsWith(each))?.length ?? 0)),
      parts,
      name,
    );
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

  /**
   * Directories in which a file finds absolute modules. Near: that above its outermost package, and its own where
   * that is not a package. All: also those that manifests around it name, the directories around it, other manifests.
   */
  #rootsOf(from: string): { readonly near: readonly string[]; readonly all: readonly string[] } {
    const own = parent(from);
    const known = this.#roots.get(own);
    if (known) return known;
    let top = own;
    while (top !== '' && this.#package(top) !== undefined) top = parent(top);
    const around = ancestors(own);
    const isAround = ({ directory }: { readonly directory: string }): boolean => around.includes(directory);
    const near = [top];
    const all = [
      ...near,
      ...this.#declared.filter(isAround).flatMap(({ roots }) => roots),
      ...around,
      'src',
      'lib',
      ...this.#declared.filter((each) => !isAround(each)).flatMap(({ roots }) => roots),
    ];
    const roots = { near, all: [...new Set(all)] };
    this.#roots.set(own, roots);
    return roots;
  }
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

function parent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** A directory and those around it, from the inside out, with `''`. */
function ancestors(directory: string): string[] {
  const found = [directory];
  for (let at = directory; at !== ''; at = parent(at)) found.push(parent(at));
  return found;
}
