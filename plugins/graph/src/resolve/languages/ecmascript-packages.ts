import { posix } from 'node:path';
import type { Manifest } from '../../model.js';
import type { ProjectFiles } from '../modules.js';
import { findFile } from './ecmascript-files.js';
import { isObject, parseJson, property, textProperty } from './ecmascript-json.js';

/** A `package.json` of the project. */
export interface Package {
  /** Its directory; empty for the root. */
  readonly directory: string;
  readonly manifest: unknown;
}

/** All packages of a project: of a workspace, or one. */
export class Packages {
  readonly #files: ProjectFiles;
  readonly #byDirectory = new Map<string, Package>();
  readonly #byName = new Map<string, Package>();

  constructor(files: ProjectFiles) {
    this.#files = files;
    for (const each of files.manifests.filter(isPackage).sort(byDepth)) {
      const manifest = parseJson(each.text);
      if (!isObject(manifest)) continue;
      const found = { directory: directoryOf(each.path), manifest };
      this.#byDirectory.set(found.directory, found);
      const name = textProperty(manifest, 'name');
      if (name !== undefined && !this.#byName.has(name)) this.#byName.set(name, found);
    }
  }

  /** The package that a file belongs to. */
  around(path: string): Package | undefined {
    for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
      const found = this.#byDirectory.get(directory);
      if (found || directory === '') return found;
    }
  }

  /** Whether the package of a file, or one around it, declares the types of Node's modules, which come before files. */
  hasNodeTypes(path: string): boolean {
    for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
      const manifest = this.#byDirectory.get(directory)?.manifest;
      const lists = ['dependencies', 'devDependencies'].map((key) => property(manifest, key));
      if (lists.some((each) => property(each, '@types/node') !== undefined)) return true;
      if (directory === '') return false;
    }
  }

  named(name: string): Package | undefined {
    return this.#byName.get(name);
  }

  /** The file that `import 'name/subpath'` loads: `exports`, else `main` and files. `subpath` is `.` or starts with `./`. */
  entry(of: Package, subpath: string, from: string): string | undefined {
    const exported = property(of.manifest, 'exports');
    const targets =
      exported === undefined || exported === null
        ? mainTargets(of.manifest, subpath)
        : mapped(isSubpaths(exported) ? exported : { '.': exported }, subpath);
    return this.#firstFile(of, targets, from) ?? this.#file(of.directory, subpath, from);
  }

  /** The target of `import '#name'` inside a package: a file, or the name of another package. */
  internal(of: Package, name: string, from: string): { readonly file?: string; readonly bare?: string } {
    const targets = mapped(property(of.manifest, 'imports'), name);
    const file = this.#firstFile(of, targets, from);
    const bare = targets.find((each) => !each.startsWith('.'));
    return file !== undefined ? { file } : { ...(bare !== undefined && { bare }) };
  }

  /** The source of a file in the output of the package around it. */
  sourceOf(path: string, from: string): string | undefined {
    const of = this.around(path);
    const end = path.endsWith('/') ? '/' : '';
    return of && this.#source(of, `./${posix.relative(of.directory, path)}${end}`, from);
  }

  #firstFile(of: Package, targets: readonly string[], from: string): string | undefined {
    for (const target of targets) {
      const found =
        target.startsWith('.') || !target.startsWith('/') ? this.#source(of, target, from) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A target that is not in the project is the output of a source file that may be. */
  #source(of: Package, target: string, from: string): string | undefined {
    const exact = this.#file(of.directory, target, from);
    if (exact !== undefined) return exact;
    const [first = '', ...rest] = posix.normalize(target).split('/');
    if (rest.length === 0 || !OUTPUT.test(first)) return undefined;
    const inner = OUTPUT.test(rest[0] ?? '') || FORMAT.test(rest[0] ?? '') ? [rest, rest.slice(1)] : [rest];
    const candidates = inner.flatMap((parts) => [
      ['src', ...parts],
      ['source', ...parts],
      ['lib', ...parts],
      parts,
    ]);
    for (const parts of candidates) {
      const found = this.#file(of.directory, parts.join('/').replace(/\.d\.([cm]?)ts$/, '.$1js'), from);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #file(directory: string, target: string, from: string): string | undefined {
    const path = posix.join(directory, target === '.' ? './' : target);
    const found = findFile(this.#files, path === './' ? '' : path, from);
    return found ?? this.#withoutExtension(path, from);
  }

  /** `./dist/index.cjs` may come from `index.ts`. */
  #withoutExtension(path: string, from: string): string | undefined {
    const stem = /^(.+)\.[cm]?jsx?$/.exec(path)?.[1];
    return stem === undefined ? undefined : findFile(this.#files, stem, from);
  }
}

const OUTPUT = /^(?:dist|build|out|output|lib|esm|cjs|es|commonjs|compiled)$/;
const FORMAT = /^(?:esm|cjs|es|umd|types|node|browser|module|src)$/;
/** In the order in which a source file is most likely found. `types` may name a file beside the output. */
const CONDITIONS = [
  'source',
  'development',
  'import',
  'module',
  'node',
  'require',
  'default',
  'types',
  'browser',
];

export function directoryOf(path: string): string {
  const directory = posix.dirname(path);
  return directory === '.' ? '' : directory;
}

function isPackage({ path }: Manifest): boolean {
  return posix.basename(path) === 'package.json' && !/(?:^|\/)node_modules\//.test(path);
}

/** Of two packages with one name the outer one counts: the other is a fixture. */
function byDepth(a: Manifest, b: Manifest): number {
  return a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1);
}

function isSubpaths(exported: unknown): boolean {
  return isObject(exported) && Object.keys(exported).every((key) => key.startsWith('.'));
}

function mainTargets(manifest: unknown, subpath: string): string[] {
  if (subpath !== '.') return [subpath];
  const fields = ['source', 'module', 'main', 'types', 'typings', 'browser'];
  return fields.flatMap((field) => textProperty(manifest, field) ?? []).map(relative);
}

/** `main` may leave out the `./`. */
function relative(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}

/** The targets of a key of `exports` or `imports`, with `*` filled in. The longest pattern wins. */
function mapped(map: unknown, key: string): string[] {
  if (!isObject(map)) return [];
  if (Object.hasOwn(map, key)) return targetsOf(map[key]);
  const matches = Object.keys(map)
    .flatMap((pattern) => {
      const star = pattern.endsWith('/') ? pattern.length : pattern.indexOf('*');
      const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
      const fits = star >= 0 && key.startsWith(before) && key.endsWith(after) && key.length > before.length;
      return fits ? [{ pattern, before, match: key.slice(before.length, key.length - after.length) }] : [];
    })
    .sort((a, b) => b.before.length - a.before.length);
  const [best] = matches;
  if (!best) return [];
  return targetsOf(map[best.pattern]).map((target) =>
    target.endsWith('/') ? target + best.match : target.replaceAll('*', () => best.match),
  );
}

function targetsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(targetsOf);
  if (!isObject(value)) return [];
  const known = CONDITIONS.flatMap((name) => targetsOf(property(value, name)));
  return [
    ...known,
    ...Object.keys(value)
      .filter((name) => !CONDITIONS.includes(name))
      .flatMap((name) => targetsOf(value[name])),
  ];
}
