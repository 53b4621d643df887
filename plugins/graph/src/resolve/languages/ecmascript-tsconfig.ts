import { posix } from 'node:path';
import type { ProjectFiles } from '../modules.js';
import { isObject, parseJson, property, textProperty } from './ecmascript-json.js';
import { directoryOf, type Packages } from './ecmascript-packages.js';

/** How a file's imports are mapped, besides the rules of Node. Directories are relative to the project. */
interface Options {
  /** Of the configuration that no other extends here. */
  readonly configDirectory?: string;
  readonly baseUrl?: string;
  readonly paths?: { readonly directory: string; readonly map: ReadonlyMap<string, readonly string[]> };
}

/** Stands in a path for the directory of the configuration that extends the one with the path. */
const CONFIG_DIRECTORY = '${configDir}';

/** A chain of `extends` and `references` is followed this far: each configuration is read within the one before. */
const MAX_DEPTH = 100;

/** The `tsconfig.json`, `jsconfig.json` and `deno.json` files of a project. */
export class CompilerOptions {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #packages: Packages;
  readonly #byDirectory = new Map<string, Options | undefined>();
  readonly #byPath = new Map<string, Options>();

  constructor(files: ProjectFiles, packages: Packages) {
    this.#texts = new Map(files.manifests.map(({ path, text }) => [path, text]));
    this.#packages = packages;
  }

  /** Paths without extension that `paths` and import maps give a module, best first. */
  mapped(module: string, from: string): string[] {
    const { paths, configDirectory } = this.#optionsOf(directoryOf(from)) ?? {};
    if (!paths) return [];
    return substitute(paths.map, module).map((each) =>
      placed(within(paths.directory, each), configDirectory),
    );
  }

  /** The path without extension of a module in the `baseUrl`. */
  inBase(module: string, from: string): string | undefined {
    const { baseUrl, configDirectory } = this.#optionsOf(directoryOf(from)) ?? {};
    return baseUrl === undefined ? undefined : posix.join(placed(baseUrl, configDirectory), module);
  }

  /** Whether the nearest configuration says where names of modules lead. */
  hasPaths(from: string): boolean {
    return this.#optionsOf(directoryOf(from))?.paths !== undefined;
  }

  /** Of the nearest configuration. */
  #optionsOf(directory: string): Options | undefined {
    if (this.#byDirectory.has(directory)) return this.#byDirectory.get(directory);
    const path = ['tsconfig.json', 'jsconfig.json']
      .map((name) => posix.join(directory, name))
      .find((each) => this.#texts.has(each));
    const own =
      path === undefined
        ? this.#importMap(directory)
        : { ...this.#read(path, 0), configDirectory: directory };
    const options = own ?? (directory === '' ? undefined : this.#optionsOf(directoryOf(directory)));
    this.#byDirectory.set(directory, options);
    return options;
  }

  /** `imports` of Deno: a name that ends in a slash stands for all that begin with it. */
  #importMap(directory: string): Options | undefined {
    const texts = ['deno.json', 'deno.jsonc'].map((name) => this.#texts.get(posix.join(directory, name)));
    const imports = property(parseJson(texts.find((each) => each !== undefined) ?? ''), 'imports');
    if (!isObject(imports)) return undefined;
    const star = (path: string): string => (path.endsWith('/') ? `${path}*` : path);
    const entries = Object.entries(imports).flatMap(([name, target]) =>
      typeof target === 'string' && /^\.{0,2}\//.test(target) ? [[star(name), [star(target)]] as const] : [],
    );
    return { paths: { directory, map: new Map(entries) } };
  }

  /** Once: many ways may lead to a configuration. One that leads back to itself adds nothing. */
  #read(path: string, depth: number): Options {
    const known = depth > MAX_DEPTH ? {} : this.#byPath.get(path);
    if (known) return known;
    this.#byPath.set(path, {});
    const options = this.#parse(path, depth);
    this.#byPath.set(path, options);
    return options;
  }

  #parse(path: string, depth: number): Options {
    const config = parseJson(this.#texts.get(path) ?? '');
    if (!isObject(config)) return {};
    const inherited = this.#inherited(config, path, depth);
    const compiler = property(config, 'compilerOptions');
    const directory = directoryOf(path);
    const base = textProperty(compiler, 'baseUrl');
    const baseUrl = base === undefined ? inherited.baseUrl : within(directory, base);
    const map = property(compiler, 'paths');
    const paths = isObject(map) ? { directory: baseUrl ?? directory, map: pathsOf(map) } : inherited.paths;
    if (paths || baseUrl !== undefined) {
      return { ...(baseUrl !== undefined && { baseUrl }), ...(paths && { paths }) };
    }
    return this.#referenced(config, path, depth);
  }

  /** Later configurations of `extends` win. */
  #inherited(config: unknown, path: string, depth: number): Options {
    const written = property(config, 'extends');
    const bases = Array.isArray(written) ? written : [written];
    return bases.reduce<Options>((options, base) => {
      const found = typeof base === 'string' ? this.#find(base, path) : undefined;
      return found === undefined ? options : { ...options, ...this.#read(found, depth + 1) };
    }, {});
  }

  /** A configuration that only lists others has the options of the first one beside it that has any: `tsconfig.app.json`. */
  #referenced(config: unknown, path: string, depth: number): Options {
    const references = property(config, 'references');
    for (const reference of Array.isArray(references) ? references : []) {
      const target = textProperty(reference, 'path');
      const found = target === undefined ? undefined : this.#find(target, path);
      if (found === undefined || directoryOf(found) !== directoryOf(path)) continue;
      const options = this.#read(found, depth + 1);
      if (options.paths || options.baseUrl !== undefined) return options;
    }
    return {};
  }

  /** A path, or a file of a package of the project. */
  #find(written: string, from: string): string | undefined {
    const candidates = (path: string): string[] => [path, `${path}.json`, posix.join(path, 'tsconfig.json')];
    if (/^\.{0,2}\//.test(written) || /^\.{1,2}$/.test(written)) {
      const path = posix.join(directoryOf(from), written);
      return candidates(path).find((each) => this.#texts.has(each));
    }
    const [, name = '', rest = ''] = /^(@[^/]+\/[^/]+|[^/]+)\/?(.*)/s.exec(written) ?? [];
    const found = this.#packages.named(name);
    return found && candidates(posix.join(found.directory, rest)).find((each) => this.#texts.has(each));
  }
}

function within(directory: string, path: string): string {
  return path.startsWith(CONFIG_DIRECTORY) ? path : posix.join(directory, path);
}

function placed(path: string, configDirectory = ''): string {
  const rest = path.startsWith(CONFIG_DIRECTORY) ? path.slice(CONFIG_DIRECTORY.length) : undefined;
  return rest === undefined ? path : posix.join(configDirectory, `./${rest}`);
}

function pathsOf(map: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(map).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [],
    ]),
  );
}

/** The longest pattern that a module fits. */
function substitute(map: ReadonlyMap<string, readonly string[]>, module: string): readonly string[] {
  const exact = map.get(module);
  if (exact) return exact;
  let best: { readonly length: number; readonly found: readonly string[] } = { length: -1, found: [] };
  for (const [pattern, targets] of map) {
    const star = pattern.indexOf('*');
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (star < 0 || before.length <= best.length) continue;
    if (!module.startsWith(before) || !module.endsWith(after) || module.length < before.length + after.length)
      continue;
    const match = module.slice(before.length, module.length - after.length);
    best = { length: before.length, found: targets.map((target) => target.replace('*', () => match)) };
  }
  return best.found;
}
