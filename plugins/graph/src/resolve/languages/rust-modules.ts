import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { directoryOf } from './paths.js';
import { readCrates, type Crate } from './rust-crates.js';
import { RustModuleFiles } from './rust-module-files.js';

const LIBRARIES = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

/** Files that attributes name in files that attributes name are followed this far. */
const MAX_PLACED = 10;

/** A module: its file, and the directory that holds the files of its modules. */
interface Place {
  readonly file: string;
  readonly directory: string;
  /** Names of inline modules of the file that lead to it. */
  readonly inline?: readonly string[];
}

/** Finds modules by the `Cargo.toml` files of a project and the files that modules have by convention. */
export function rustModules(project: ProjectFiles): Modules {
  const finder = new RustModules(project);
  return {
    find: (request, from) => finder.find(request, from),
    implicit: (path, name) => (name.endsWith('!') ? finder.macros(path) : []),
    ofPath: (names, from) => finder.ofPath(names, from),
  };
}

class RustModules {
  readonly #project: ProjectFiles;
  readonly #crates: readonly Crate[];
  readonly #roots: ReadonlySet<string>;
  readonly #files: RustModuleFiles;

  constructor(project: ProjectFiles) {
    this.#project = project;
    this.#crates = readCrates(project);
    this.#roots = new Set(this.#crates.flatMap(({ roots }) => roots));
    this.#files = new RustModuleFiles(project);
  }

  find({ module, name, form }: Parameters<Modules['find']>[0], from: string): ModuleTarget {
    const written = this.#files.written(module, from);
    if (written !== undefined) return { kind: 'files', paths: [written], whole: true };
    const path = module.split('::');
    const full = form === 'named' && name !== undefined ? [...path, name] : path;
    const start = this.#start(full, from);
    if (!start) return this.#elsewhere(path, name, from);
    const { place, used } = this.#walk(start.place, full, start.used);
    const paths = files(place, used === start.used ? start.others : []);
    const { inline = [] } = place;
    // A module that an import names, or that a path ends in.
    if (used === full.length && inline.length === 0) return { kind: 'files', paths, whole: true };
    const end = form === 'named' ? full.length - 1 : full.length;
    const within = [...inline, ...full.slice(used, end)];
    // `mod name;` without its file.
    if (form === 'namespace') return { kind: 'unresolved' };
    return { kind: 'files', paths, ...(within.length > 0 && { within }) };
  }

  /** Macros of a crate are visible in all of it: those of its root and of its modules named for macros. */
  macros(path: string): ModuleTarget[] {
    const crate = this.#crateOf(path);
    if (!crate) return [];
    const directory = directoryOf(crate.root);
    const candidates = [...crate.roots, `${directory}/macros.rs`, `${directory}/macros/mod.rs`];
    const paths = candidates.filter((each) => each !== path && this.#project.has(each));
    return paths.length > 0 ? [{ kind: 'files', paths }] : [];
  }

  ofPath(names: readonly string[], from: string): ReturnType<NonNullable<Modules['ofPath']>> {
    const start = this.#start(names, from);
    if (!start) {
      const [first = ''] = names;
      // `std::collections::HashMap`: types begin with a capital, modules do not.
      const type = names.findIndex((name) => /^\p{Lu}/u.test(name));
      if (LIBRARIES.has(first) && type > 1) {
        return { target: { kind: 'external', module: libraryModule(names.slice(0, type)) }, used: type };
      }
      const isKnown = LIBRARIES.has(first) || this.#crateOf(from)?.dependencies.has(first);
      return isKnown ? { target: { kind: 'external', module: first }, used: 1 } : undefined;
    }
    const { place, used } = this.#walk(start.place, names, start.used);
    const paths = files(place, used === start.used ? start.others : []);
    return { target: { kind: 'files', paths, ...(place.inline && { within: place.inline }) }, used };
  }

  /** The module that a path starts in, and how many of its names that takes. */
  #start(
    path: readonly string[],
    from: string,
  ): { readonly place: Place; readonly used: number; readonly others: readonly string[] } | undefined {
    const [first = ''] = path;
    const crate = this.#crateOf(from);
    if (first === 'crate' || first === '$crate') {
      return crate && { place: rootPlace(crate.root), used: 1, others: crate.roots };
    }
    const own = this.#placeOf(from, crate);
    if (first === 'self') return { place: own, used: 1, others: [] };
    if (first === 'super') {
      let place: Place | undefined = own;
      let used = 0;
      for (; path[used] === 'super' && place; used += 1) place = this.#parentOf(place, crate);
      const others = place && crate && place.file === crate.root ? crate.roots : [];
      return place && { place, used, others };
    }
    const child = this.#child(own, first);
    if (child) return { place: child, used: 1, others: [] };
    const other = this.#crateNamed(crate?.dependencies.get(first) ?? first);
    if (other?.library !== undefined) return { place: rootPlace(other.library), used: 1, others: [] };
    const ofRoot = crate?.edition === '2015' ? this.#child(rootPlace(crate.root), first) : undefined;
    return ofRoot && { place: ofRoot, used: 1, others: [] };
  }

  #walk(
    start: Place,
    path: readonly string[],
    from: number,
  ): { readonly place: Place; readonly used: number } {
    let place = start;
    let used = from;
    while (used < path.length) {
      const child = this.#child(place, path[used] ?? '');
      const inner = child ? undefined : this.#throughInline(place, path.slice(used));
      const next = child ?? inner?.place;
      if (!next) break;
      place = next;
      used += inner?.used ?? 1;
    }
    return { place, used };
  }

  #child({ file: parent, directory, inline = [] }: Place, name: string): Place | undefined {
    const placed = inline.length === 0 ? this.#files.placedIn(parent, name) : undefined;
    if (placed !== undefined) return { file: placed, directory: directoryOf(placed) };
    const base = directory === '' ? name : `${directory}/${name}`;
    const file = [`${base}.rs`, `${base}/mod.rs`].find((each) => this.#project.has(each));
    if (file === undefined) return undefined;
    // `tests/store.rs` is a crate of its own beside `use store::Store`, unless another declares it.
    if (this.#roots.has(file) && !this.#files.declares(parent, [...inline, name])) return undefined;
    return { file, directory: base };
  }

  /** The file of a module that an inline one declares: `mod a { pub mod b; }`. */
  #throughInline(
    { file: parent, directory }: Place,
    path: readonly string[],
  ): { readonly place: Place; readonly used: number } | undefined {
    for (let used = 2; used <= path.length; used += 1) {
      const names = path.slice(0, used);
      if (!this.#files.declares(parent, names)) continue;
      const base = [...(directory === '' ? [] : [directory]), ...names].join('/');
      const file = [`${base}.rs`, `${base}/mod.rs`].find((each) => this.#project.has(each));
      if (file !== undefined) return { place: { file, directory: base }, used };
    }
    return undefined;
  }

  #elsewhere(path: readonly string[], name: string | undefined, from: string): ModuleTarget {
    const [first = ''] = path;
    if (['crate', 'self', 'super'].includes(first)) return { kind: 'unresolved' };
    // `use std::result;`: names of a library itself in small letters are its modules.
    const isModule = path.length === 1 && name !== undefined && LIBRARIES.has(first) && /^\p{Ll}/u.test(name);
    if (isModule) return { kind: 'external', module: libraryModule([first, name]), whole: true };
    const module = LIBRARIES.has(first) ? libraryModule(path) : path.join('::');
    const crate = this.#crateOf(from)?.dependencies.get(first);
    return { kind: 'external', module: crate === undefined ? module : module.replace(first, crate) };
  }

  #placeOf(file: string, crate: Crate | undefined): Place {
    if (!crate || crate.roots.includes(file) || isRoot(file)) return rootPlace(file);
    if (this.#placedBy(file, crate) !== undefined) return { file, directory: directoryOf(file) };
    return { file, directory: file.replace(/(?:\/mod)?\.rs$/, '') };
  }

  #parentOf({ file, directory, inline = [] }: Place, crate: Crate | undefined): Place | undefined {
    const declaring = this.#placedBy(file, crate);
    if (declaring !== undefined) return this.#placeOf(declaring, crate);
    const rest = inline.slice(0, -1);
    if (inline.length > 0)
      return { file, directory: directoryOf(directory), ...(rest.length > 0 && { inline: rest }) };
    const names: string[] = [];
    for (let at = directory; at !== '';) {
      names.unshift(at.slice(at.lastIndexOf('/') + 1));
      at = directoryOf(at);
      const placed = names.length === 1 ? this.#files.placedWith(at, names[0] ?? '') : undefined;
      if (placed !== undefined) return { file: placed, directory: at };
      const parent = this.#moduleIn(at, crate);
      if (!parent) continue;
      if (names.length === 1) return parent;
      return this.#files.declares(parent.file, names)
        ? { file: parent.file, directory: directoryOf(directory), inline: names.slice(0, -1) }
        : undefined;
    }
    return undefined;
  }

  /** The module whose modules are in a directory. */
  #moduleIn(directory: string, crate: Crate | undefined): Place | undefined {
    if (crate && directory === directoryOf(crate.root)) return rootPlace(crate.root);
    const file = [`${directory}.rs`, `${directory}/mod.rs`].find((each) => this.#project.has(each));
    return file === undefined ? undefined : { file, directory };
  }

  /** The file with the attribute that names a file, where that is not a module by its place, too. */
  #placedBy(file: string, crate: Crate | undefined): string | undefined {
    const declaring = this.#files.parentOf(file);
    if (declaring === undefined) return undefined;
    const module = file.replace(/(?:\/mod)?\.rs$/, '');
    const parent = this.#moduleIn(directoryOf(module), crate);
    const name = module.slice(module.lastIndexOf('/') + 1);
    return parent && this.#files.declares(parent.file, [name]) ? undefined : declaring;
  }

  /** The crate that a file belongs to: that around the file which names it, or around the file itself. */
  #crateOf(file: string): Crate | undefined {
    let at = file;
    let crate = this.#crateAround(at);
    for (let hops = 0; hops < MAX_PLACED; hops += 1) {
      const declaring = this.#placedBy(at, crate);
      if (declaring === undefined) break;
      at = declaring;
      crate = this.#crateAround(at);
    }
    return crate;
  }

  #crateAround(file: string): Crate | undefined {
    return this.#crates
      .filter(
        ({ root, directory }) => root === file || file.startsWith(directory === '' ? '' : `${directory}/`),
      )
      .reduce<Crate | undefined>((best, each) => {
        if (best?.root === file) return best;
        if (each.root === file) return each;
        return !best || each.directory.length > best.directory.length ? each : best;
      }, undefined);
  }

  #crateNamed(name: string): Crate | undefined {
    return this.#crates.find((each) => each.name === name && each.library !== undefined);
  }
}

/** `std` offers what `core` and `alloc` declare. */
function libraryModule(path: readonly string[]): string {
  return path.join('::').replace(/^(?:core|alloc)(?=::|$)/, 'std');
}

/** A crate's root may be a library and a program at once: names of both are found. */
function files({ file }: Place, others: readonly string[]): string[] {
  return [file, ...others.filter((each) => each !== file)];
}

function rootPlace(file: string): Place {
  return { file, directory: directoryOf(file) };
}

function isRoot(file: string): boolean {
  return /(?:^|\/)(?:lib|main|build)\.rs$/.test(file);
}
